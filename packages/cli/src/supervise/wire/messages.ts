import type { SupervisorPort } from '@devs/supervisor';

/** Raised when an old side could misunderstand a new one. */
export const WIRE_VERSION = 1;

/** What a supervisor may be asked, by name: the parameters go over the wire as they are. */
export const METHODS = {
  status: (port) => port.status(),
  keep: (port) => port.keep(),
  shutdown: (port, how) => port.shutdown(how),
  'runs.start': (port, order, caller) => port.runs.start(order, caller),
  'runs.list': (port) => port.runs.list(),
  'runs.wait': (port, run, wait, signal) => port.runs.wait(run, wait, signal),
  'runs.stop': (port, run, how) => port.runs.stop(run, how),
  'runs.provide': (port, run, caller) => port.runs.provide(run, caller),
  'runs.user': (port, run, is) => port.runs.user(run, is),
  'queues.start': (port, order, caller) => port.queues.start(order, caller),
  'queues.wait': (port, queue, wait, signal) => port.queues.wait(queue, wait, signal),
  'queues.stop': (port, queue, how) => port.queues.stop(queue, how),
  'queues.provide': (port, queue, caller) => port.queues.provide(queue, caller),
  'terminals.start': (port, order, caller) => port.terminals.start(order, caller),
  'terminals.list': (port) => port.terminals.list(),
  'terminals.wait': (port, name, wait, signal) => port.terminals.wait(name, wait, signal),
  'terminals.attend': (port, name, attending, signal) => port.terminals.attend(name, attending, signal),
  'terminals.leave': (port, name, window) => port.terminals.leave(name, window),
  'terminals.user': (port, name, is) => port.terminals.user(name, is),
  'terminals.provide': (port, name, caller) => port.terminals.provide(name, caller),
  'terminals.send': (port, name, text) => port.terminals.send(name, text),
  'terminals.renew': (port, name, wish) => port.terminals.renew(name, wish),
  'terminals.undo': (port, name) => port.terminals.undo(name),
  'terminals.stop': (port, name) => port.terminals.stop(name),
} as const satisfies Readonly<Record<string, (port: SupervisorPort, ...params: never[]) => Promise<unknown>>>;

export type MethodName = keyof typeof METHODS;

export const isMethodName = (name: unknown): name is MethodName =>
  typeof name === 'string' && Object.hasOwn(METHODS, name);

/** From a client: first who it is, then what it asks. */
export type ClientLine =
  | { readonly hello: { readonly wire: number; readonly version: string; readonly pid: number } }
  | { readonly proved: true }
  | { readonly ask: number; readonly method: string; readonly params: readonly unknown[] }
  | { readonly cancel: number };

export type ServerLine =
  | { readonly challenge: string }
  | { readonly welcome: { readonly wire: number; readonly version: string; readonly pid: number } }
  | { readonly refused: string }
  | { readonly answer: number; readonly result: unknown }
  | { readonly answer: number; readonly error: string };
