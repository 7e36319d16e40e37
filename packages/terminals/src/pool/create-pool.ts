import {
  type Clock,
  observeTerminal,
  type ScaleDown,
  startedTerminal,
  type TerminalObservation,
  type TerminalState,
  terminalsToStop,
} from '@devs/core';
import type { EndReport } from '../processes/end-tree.js';
import type { HostedTerminal } from '../protocol/messages.js';
import { type OpenScreen, openScreen } from '../screen/open-screen.js';
import type { SpawnOutcome, SpawnRequest, TerminalHost, WriteOutcome } from '../terminal-host.js';
import { createLanes } from './lanes.js';

export interface PoolOptions {
  readonly host: TerminalHost;
  readonly clock: Clock;
  /** How many terminals may run at once. */
  readonly limit: number;
  readonly scrollback?: number;
  onChange?(entry: PooledTerminal): void;
}

export type PoolSpawnOutcome =
  | SpawnOutcome
  | { readonly kind: 'refused'; readonly refusal: 'limit'; readonly message: string };

/** One terminal of the pool, as it is now. */
export interface PooledTerminal {
  readonly terminalId: string;
  readonly hosted: HostedTerminal;
  readonly state: TerminalState;
  readonly renewing: boolean;
  readonly attended: boolean;
}

export interface EndOptions {
  readonly graceMs?: number;
}

/** Terminals under one roof. Jobs for the same terminal run one after another; a terminal is never started twice. */
export interface TerminalPool {
  /** Adopts the terminals that the host already runs, with their screens. */
  adopt(): Promise<readonly PooledTerminal[]>;
  spawn(request: SpawnRequest): Promise<PoolSpawnOutcome>;
  write(terminalId: string, data: string): Promise<WriteOutcome>;
  resize(terminalId: string, size: { readonly columns: number; readonly rows: number }): Promise<void>;
  kill(terminalId: string, options?: EndOptions): Promise<EndReport>;
  /** Ends it, waits until all its processes are gone, and starts it again with the given changes. */
  respawn(terminalId: string, changes?: Partial<Omit<SpawnRequest, 'terminalId'>>): Promise<PoolSpawnOutcome>;
  /** Forgets an exited terminal. */
  forget(terminalId: string): Promise<void>;
  /** Records an observation of an adapter. */
  observe(terminalId: string, observation: TerminalObservation): void;
  /** Flags from outside: a terminal that is being renewed, or has its user there, is never taken for spare. */
  mark(terminalId: string, flags: Partial<Pick<PooledTerminal, 'renewing' | 'attended'>>): void;
  screen(terminalId: string): OpenScreen | undefined;
  list(): readonly PooledTerminal[];
  /** Ends spare terminals; gives which. */
  scaleDown(rule: Omit<ScaleDown, 'now'>): Promise<readonly string[]>;
  /** Releases all of them; they keep running. */
  close(): Promise<void>;
}

interface Entry {
  hosted: HostedTerminal;
  state: TerminalState;
  screen: OpenScreen;
  renewing: boolean;
  attended: boolean;
  /** `undefined` if adopted: only its starter knows its arguments and environment. */
  request: SpawnRequest | undefined;
}

const KILL_GRACE_MS = 5_000;

export function createPool({ host, clock, limit, scrollback, onChange }: PoolOptions): TerminalPool {
  const entries = new Map<string, Entry>();
  const inLane = createLanes<string>();
  /** Counted before they run, so that two that start at once do not both take the last place. */
  const starting = new Set<string>();

  const describe = (terminalId: string, { hosted, state, renewing, attended }: Entry): PooledTerminal => ({
    terminalId,
    hosted,
    state,
    renewing,
    attended,
  });
  const find = (terminalId: string): Entry => {
    const entry = entries.get(terminalId);
    if (entry === undefined) throw new RangeError(`the pool has no terminal ${terminalId}`);
    return entry;
  };
  const see = (terminalId: string, observation: TerminalObservation) => {
    const entry = entries.get(terminalId);
    if (entry === undefined) return;
    const before = entry.state;
    entry.state = observeTerminal(before, observation);
    if (entry.state !== before) onChange?.(describe(terminalId, entry));
  };
  const countOthers = (terminalId: string) => {
    const running = [...entries].flatMap(([id, { hosted }]) => (hosted.exit === undefined ? [id] : []));
    return [...new Set([...running, ...starting])].filter((id) => id !== terminalId).length;
  };

  const take = async (hosted: HostedTerminal, request: SpawnRequest | undefined): Promise<Entry> => {
    const { terminalId, handle } = hosted;
    const isCurrent = () => entries.get(terminalId)?.hosted.handle === handle;
    let exited: HostedTerminal | undefined;
    const exit = (terminal: HostedTerminal) => {
      exited = terminal;
      if (!isCurrent() || terminal.exit === undefined) return;
      find(terminalId).hosted = terminal;
      const { exitCode, signal, at } = terminal.exit;
      see(terminalId, { type: 'terminal.exited', at, exitCode, ...(signal === undefined ? {} : { signal }) });
    };
    const screen = await openScreen({
      host,
      terminalId,
      answersQueries: true,
      ...(scrollback === undefined ? {} : { scrollback }),
      onExit: exit,
    });
    const state = startedTerminal(hosted.spawnedAt);
    const entry: Entry = { hosted, state, screen, renewing: false, attended: false, request };
    entries.set(terminalId, entry);
    onChange?.(describe(terminalId, entry));
    if (exited !== undefined) exit(exited);
    return entry;
  };
  const start = async (request: SpawnRequest): Promise<PoolSpawnOutcome> => {
    if (countOthers(request.terminalId) >= limit) {
      return { kind: 'refused', refusal: 'limit', message: `${limit} terminals are running, which is the limit` };
    }
    starting.add(request.terminalId);
    try {
      const outcome = await host.spawn(request);
      if (outcome.kind === 'refused') return outcome;
      const before = entries.get(request.terminalId);
      await take(outcome.terminal, request);
      await before?.screen.close();
      return outcome;
    } finally {
      starting.delete(request.terminalId);
    }
  };
  const end = (terminalId: string, { graceMs = KILL_GRACE_MS }: EndOptions = {}) => host.end(terminalId, { graceMs });

  return {
    async adopt() {
      const hosted = await host.list();
      await Promise.all(
        hosted.map((terminal) =>
          inLane(terminal.terminalId, async () => {
            if (!entries.has(terminal.terminalId)) await take(terminal, undefined);
          }),
        ),
      );
      return this.list();
    },
    spawn: (request) => inLane(request.terminalId, () => start(request)),
    write: (terminalId, data) => host.write(find(terminalId).hosted, data),
    resize: (terminalId, size) => find(terminalId).screen.resize(size),
    kill: (terminalId, options) => inLane(terminalId, () => end(terminalId, options)),
    respawn: (terminalId, changes) =>
      inLane(terminalId, async () => {
        const entry = find(terminalId);
        if (entry.request === undefined && !isComplete(changes)) {
          throw new RangeError(`${terminalId} was adopted: say with which arguments and environment to start it`);
        }
        const flags = { renewing: entry.renewing, attended: entry.attended };
        await end(terminalId);
        const outcome = await start({ ...(entry.request as SpawnRequest), ...changes, terminalId });
        if (outcome.kind === 'spawned') Object.assign(find(terminalId), flags);
        return outcome;
      }),
    forget: (terminalId) =>
      inLane(terminalId, async () => {
        await host.forget(terminalId);
        await entries.get(terminalId)?.screen.close();
        entries.delete(terminalId);
      }),
    observe: see,
    mark(terminalId, flags) {
      Object.assign(find(terminalId), flags);
    },
    screen: (terminalId) => entries.get(terminalId)?.screen,
    list: () => Array.from(entries, ([terminalId, entry]) => describe(terminalId, entry)),
    async scaleDown(rule) {
      const candidates = this.list().map((entry) => ({ ...entry, ...entry.state }));
      const spare = terminalsToStop(candidates, { ...rule, now: clock.now() });
      const stopped = await Promise.all(
        spare.map(({ terminalId }) =>
          inLane(terminalId, async () => {
            const { state, renewing, attended } = find(terminalId);
            if (state.activity !== 'idle' || renewing || attended) return []; // changed while it waited for its turn
            await end(terminalId);
            return [terminalId];
          }),
        ),
      );
      return stopped.flat();
    },
    async close() {
      await Promise.all(Array.from(entries.values(), ({ screen }) => screen.close()));
      entries.clear();
    },
  };
}

const isComplete = (changes: Partial<SpawnRequest> | undefined) =>
  changes?.file !== undefined && changes.args !== undefined && changes.env !== undefined && changes.cwd !== undefined;
