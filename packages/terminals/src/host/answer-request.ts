import { statSync } from 'node:fs';
import type { ProcessInfo } from '../processes/list-processes.js';
import { type Params, PROTOCOL_VERSION, type Refusal, type RequestName, type Result } from '../protocol/messages.js';
import type { ClientConnection } from './client-connection.js';
import { findProgram } from './find-program.js';
import type { Gate } from './gate.js';
import type { Guard } from './guard.js';
import type { HostedTerminal } from './hosted-terminal.js';

/** An answer that says no, and why. */
export class Refused extends Error {
  constructor(
    readonly refusal: Refusal,
    message: string,
  ) {
    super(message);
  }
}

/** State that the requests work on. */
export interface HostRoom {
  readonly instance: string;
  all(): Iterable<HostedTerminal>;
  get(terminalId: string): HostedTerminal | undefined;
  start(params: Params<'spawn'>): HostedTerminal;
  forget(terminalId: string): void;
  readonly guard: Guard<ClientConnection>;
  /** Secrets that supervisors leave for their successors. In memory only, never written. */
  readonly secrets: Map<string, string>;
}

/** Who asks. */
export interface HostClient {
  readonly connection: ClientConnection;
  readonly gate: Gate;
}

type Handlers = {
  readonly [Name in RequestName]: (
    params: Params<Name>,
    room: HostRoom,
    client: HostClient,
  ) => Result<Name> | Promise<Result<Name>>;
};

/** One function for each request. They may throw `Refused`. */
export const HANDLERS: Handlers = {
  hello({ protocol }, { instance }, { gate }) {
    if (protocol !== PROTOCOL_VERSION) {
      throw new Refused('wrong-protocol', `this host speaks protocol ${PROTOCOL_VERSION}, not ${protocol}`);
    }
    return { protocol, instance, pid: process.pid, challenge: gate.challenge };
  },
  prove({ pid }, _, { gate }) {
    gate.prove(pid);
    return null;
  },
  spawn(params, room) {
    const before = room.get(params.terminalId);
    if (before !== undefined && before.exit === undefined) {
      throw new Refused('already-running', `${params.terminalId} is running as process ${before.identity.pid}`);
    }
    if (!statSync(params.cwd, { throwIfNoEntry: false })?.isDirectory()) {
      throw new Refused('no-folder', `${params.cwd} is no folder`);
    }
    const file = findProgram(params.file, { cwd: params.cwd, path: params.env.PATH });
    if (file === undefined) throw new Refused('not-found', `no program ${params.file} on the PATH of the terminal`);
    try {
      return room.start(params).describe();
    } catch (error) {
      throw new Refused('no-terminal-left', `the system gave no terminal: ${String(error)}`);
    }
  },
  list: (_, room) => Array.from(room.all(), (terminal) => terminal.describe()),
  watch({ terminalId, watch, from }, room, { connection }) {
    const terminal = find(room, terminalId);
    connection.watch(terminal, { watch, from: from ?? terminal.ring.start });
    return terminal.describe();
  },
  unwatch({ watch }, _, { connection }) {
    connection.unwatch(watch);
    return null;
  },
  resize({ terminalId, columns, rows }, room) {
    findRunning(room, terminalId).resize(columns, rows);
    return null;
  },
  sizes: ({ terminalId }, room) => [...find(room, terminalId).sizes.all],
  signal({ terminalId, signal }, room) {
    const { identity } = findRunning(room, terminalId);
    try {
      process.kill(-identity.pid, signal);
    } catch {
      throw new Refused('exited', `${terminalId} has ended`);
    }
    return null;
  },
  hold({ terminalId, holder }, room) {
    find(room, terminalId).holder = holder;
    return null;
  },
  async end({ terminalId, graceMs, holder }, room) {
    const terminal = find(room, terminalId);
    if (holder !== undefined && terminal.holder !== undefined && terminal.holder !== holder) {
      throw new Refused('held-by-another', `another supervisor has taken ${terminalId}`);
    }
    const { manner, ended, survivors } = await terminal.end(graceMs);
    return { manner, ended: ended.map(plain), survivors: survivors.map(plain) };
  },
  processes: async ({ terminalId }, room) => (await find(room, terminalId).processes()).map(plain),
  keep({ terminalId, handle, offset, data }, room) {
    const terminal = find(room, terminalId);
    const isNewer = terminal.kept === undefined || offset >= terminal.kept.offset;
    if (terminal.handle === handle && isNewer) terminal.kept = { offset, data };
    return null;
  },
  recall({ terminalId }, room) {
    const { handle, kept } = find(room, terminalId);
    return kept === undefined ? null : { handle, ...kept };
  },
  forget({ terminalId }, room) {
    if (find(room, terminalId).exit === undefined) {
      throw new Refused('still-running', `${terminalId} is running; end it first`);
    }
    room.forget(terminalId);
    return null;
  },
  guard(order, { guard }, { connection }) {
    guard.set(connection, order);
    return null;
  },
  unguard(_, { guard }, { connection }) {
    guard.release(connection);
    return null;
  },
  entrust({ name, data }, { secrets }) {
    if (data === null) secrets.delete(name);
    else secrets.set(name, data);
    return null;
  },
  entrusted: ({ name }, { secrets }) => secrets.get(name) ?? null,
};

const plain = ({ pid, started, parent, group, session, command }: ProcessInfo) => ({
  pid,
  started,
  parent,
  group,
  session,
  command,
});

function find(room: HostRoom, terminalId: string): HostedTerminal {
  const terminal = room.get(terminalId);
  if (terminal === undefined) throw new Refused('unknown-terminal', `this host has no terminal ${terminalId}`);
  return terminal;
}

function findRunning(room: HostRoom, terminalId: string): HostedTerminal {
  const terminal = find(room, terminalId);
  if (terminal.exit !== undefined) throw new Refused('exited', `${terminalId} has ended`);
  return terminal;
}
