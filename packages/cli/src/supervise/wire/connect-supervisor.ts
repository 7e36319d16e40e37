import { createConnection, type Socket } from 'node:net';
import { dirname } from 'node:path';
import type { SupervisorPort } from '@devs/supervisor';
import { CliError } from '../../cli-error.js';
import { readLines, writeLine } from './lines.js';
import { type ClientLine, type MethodName, WIRE_VERSION } from './messages.js';

/** The connection ended before the answer: the outcome is unknown. */
export class SupervisorLostError extends Error {
  constructor() {
    super('the supervisor of devs went away');
  }
}

/** It is there and does not take this caller. */
class SupervisorRefusedError extends CliError {}

export interface SupervisorClient {
  readonly port: SupervisorPort;
  readonly version: string;
  readonly pid: number;
  readonly isLost: boolean;
  close(): void;
}

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** More than a busy machine takes. */
const GREETING_MS = 10_000;

/** `undefined` without a listener. Throws if a listener does not answer. */
export async function connectSupervisor(
  socketPath: string,
  version: string,
  greetingMs = GREETING_MS,
): Promise<SupervisorClient | undefined> {
  const socket = await new Promise<Socket | undefined>((resolve) => {
    const opened = createConnection(socketPath);
    opened.once('connect', () => resolve(opened));
    opened.once('error', () => resolve(undefined));
  });
  if (socket === undefined) return undefined;
  const waiting = new Map<number, Waiting>();
  let lastAsked = 0;
  let isLost = false;
  const say = (line: ClientLine) => writeLine(socket, line);
  const ask = (method: MethodName, params: readonly unknown[], signal?: AbortSignal): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (isLost) return reject(new SupervisorLostError());
      const id = ++lastAsked;
      const cancel = () => say({ cancel: id });
      const settled = () => signal?.removeEventListener('abort', cancel);
      waiting.set(id, {
        resolve(result) {
          settled();
          resolve(result);
        },
        reject(error) {
          settled();
          reject(error);
        },
      });
      signal?.addEventListener('abort', cancel, { once: true });
      socket.ref(); // a process stays while it waits for an answer, and ends otherwise
      say({ ask: id, method, params });
    });
  socket.on('error', () => socket.destroy());
  socket.on('close', () => {
    isLost = true;
    for (const { reject } of waiting.values()) reject(new SupervisorLostError());
    waiting.clear();
  });
  const welcome = await greet(socket, socketPath, { version, greetingMs, say, waiting });
  if (welcome === undefined) return undefined;
  socket.unref();
  socket.on('data', () => {
    if (waiting.size === 0) socket.unref();
  });
  return {
    ...welcome,
    get isLost() {
      return isLost;
    },
    port: createPort(ask),
    close() {
      socket.end();
      socket.unref();
    },
  };
}

interface Greeting {
  readonly version: string;
  readonly greetingMs: number;
  readonly say: (line: ClientLine) => void;
  readonly waiting: Map<number, Waiting>;
}

/** `undefined` where it ended in this very moment. */
async function greet(socket: Socket, socketPath: string, { version, greetingMs, say, waiting }: Greeting) {
  const { meetChallenge } = await import('@devs/terminals/admission');
  let proof: { close(): void } | undefined;
  let patience: NodeJS.Timeout | undefined;
  try {
    return await new Promise<{ readonly version: string; readonly pid: number } | undefined>((resolve, reject) => {
      socket.once('close', () => resolve(undefined));
      const silent = `the supervisor of devs at ${socketPath} does not answer. If it stays so, end its process`;
      patience = setTimeout(() => reject(new SupervisorRefusedError(silent)), greetingMs);
      readLines(socket, (line) => {
        if (typeof line.challenge === 'string') {
          try {
            proof = meetChallenge(dirname(socketPath), line.challenge);
          } catch (error) {
            return reject(error as Error);
          }
          say({ proved: true });
        } else if (typeof line.refused === 'string') reject(new SupervisorRefusedError(line.refused));
        else if (line.welcome !== undefined) resolve(line.welcome as { version: string; pid: number });
        else settle(waiting, line);
      });
      say({ hello: { wire: WIRE_VERSION, version, pid: process.pid } });
    });
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    clearTimeout(patience);
    proof?.close();
  }
}

function settle(waiting: Map<number, Waiting>, line: Readonly<Record<string, unknown>>): void {
  const asker = waiting.get(Number(line.answer));
  waiting.delete(Number(line.answer));
  if (typeof line.error === 'string') asker?.reject(new Error(line.error));
  else asker?.resolve(line.result ?? undefined);
}

type Ask = (method: MethodName, params: readonly unknown[], signal?: AbortSignal) => Promise<unknown>;

function createPort(ask: Ask): SupervisorPort {
  const call = (method: MethodName, ...params: readonly unknown[]) => ask(method, params) as Promise<never>;
  const waitFor = (method: MethodName, params: readonly unknown[], signal: AbortSignal | undefined) =>
    ask(method, params, signal) as Promise<never>;
  return {
    status: () => call('status'),
    keep: () => call('keep'),
    shutdown: (how) => call('shutdown', how),
    runs: {
      start: (order, caller) => call('runs.start', order, caller),
      list: () => call('runs.list'),
      wait: (run, wait, signal) => waitFor('runs.wait', [run, wait], signal),
      stop: (run, how) => call('runs.stop', run, how),
      provide: (run, caller) => call('runs.provide', run, caller),
      user: (run, is) => call('runs.user', run, is),
    },
    queues: {
      start: (order, caller) => call('queues.start', order, caller),
      wait: (queue, wait, signal) => waitFor('queues.wait', [queue, wait], signal),
      stop: (queue, how) => call('queues.stop', queue, how),
      provide: (queue, caller) => call('queues.provide', queue, caller),
    },
    terminals: {
      start: (order, caller) => call('terminals.start', order, caller),
      list: () => call('terminals.list'),
      wait: (name, wait, signal) => waitFor('terminals.wait', [name, wait], signal),
      attend: (name, attending, signal) => waitFor('terminals.attend', [name, attending], signal),
      leave: (name, window) => call('terminals.leave', name, window),
      user: (name, is) => call('terminals.user', name, is),
      provide: (name, caller) => call('terminals.provide', name, caller),
      send: (name, text) => call('terminals.send', name, text),
      renew: (name, wish) => call('terminals.renew', name, wish),
      undo: (name) => call('terminals.undo', name),
      stop: (name) => call('terminals.stop', name),
    },
  };
}
