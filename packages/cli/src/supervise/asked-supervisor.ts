import type { ApiClient, Input, OperationName, Output, ProblemCode } from '@devs/api';
import type { Caller, RenewOutcome, SupervisorPort, TerminalNews, TerminalOrder } from '@devs/supervisor';
import { CliError } from '../cli-error.js';

/** What commands ask of the supervisor of their user. */
export interface AskedSupervisor extends Pick<SupervisorPort, 'status' | 'keep' | 'shutdown' | 'queues'> {
  readonly runs: Omit<SupervisorPort['runs'], 'list' | 'user'>;
  readonly terminals: Omit<SupervisorPort['terminals'], 'list' | 'user'>;
}

/** The supervisor refuses, with words for people. */
export class SupervisorRefusedError extends CliError {
  readonly problem: ProblemCode;

  constructor(problem: ProblemCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.problem = problem;
  }
}

/** Rejects with a `SupervisorRefusedError` where it is refused. */
export type AskApi = ApiClient['call'];

/** The supervisor behind its API. `caller`: of this process, for terminals that are not supervised yet. */
export function createAskedSupervisor(ask: AskApi, caller: Caller): AskedSupervisor {
  return {
    status: () => ask('status.get', {}),
    keep: () => done(ask('supervisor.keep', {})),
    shutdown: (how) => done(ask('supervisor.shutdown', { how })),
    runs: createRuns(ask),
    queues: createQueues(ask),
    terminals: createTerminals(ask, caller),
  };
}

function createRuns(ask: AskApi): AskedSupervisor['runs'] {
  return {
    start: (order, of) =>
      ask('runs.start', { run: plain<ResolvedRun>({ kind: 'resolved', ...order }), caller: callerOf(of) }),
    wait: (run, { seen }, signal) => news(ask, signal, 'runs.wait', { run, seen }),
    stop: async (run, { now }) => (await ask('runs.stop', { run, now })).status === 'stopped',
    provide: (run, of) => done(ask('runs.provide', { run, caller: callerOf(of) })),
  };
}

function createQueues(ask: AskApi): AskedSupervisor['queues'] {
  return {
    start: (order, of) =>
      ask('queues.start', { order: plain<Input<'queues.start'>['order']>(order), caller: callerOf(of) }),
    wait: (queue, { seen }, signal) => news(ask, signal, 'queues.wait', { queue, seen }),
    stop: async (queue, { now }) => (await ask('queues.stop', { queue, now })).status === 'stopped',
    provide: (queue, of) => done(ask('queues.provide', { queue, caller: callerOf(of) })),
  };
}

function createTerminals(ask: AskApi, caller: Caller): AskedSupervisor['terminals'] {
  const own = { caller: callerOf(caller) };
  const acted = async <Result>(asked: Promise<Result>) => ({ status: 'done' as const, result: await asked });
  return {
    start: (order, of) =>
      ask('terminals.hold', { terminal: order.name, order: plain<Order>(unnamed(order)), caller: callerOf(of) }),
    wait: (terminal, { seen }, signal) =>
      news<'terminals.wait', TerminalNews>(ask, signal, 'terminals.wait', { terminal, seen: Math.max(0, seen) }),
    attend: (terminal, { window, typed, seen }, signal) =>
      news<'terminals.attend', TerminalNews>(ask, signal, 'terminals.attend', { terminal, window, typed, seen }),
    leave: (terminal, window) => done(ask('terminals.leave', { terminal, window })),
    provide: (terminal, of) => done(ask('terminals.provide', { terminal, caller: callerOf(of) })),
    send: (terminal, text) => acted(ask('terminals.send', { terminal, text, ...own })),
    interrupt: (terminal, text) =>
      acted(ask('terminals.interrupt', { terminal, ...(text === undefined ? {} : { text }), ...own })),
    renew: (terminal, { dropsDraft }) =>
      acted(ask('terminals.renew', { terminal, dropsDraft, ...own }) as Promise<RenewOutcome>),
    undo: (terminal) => acted(ask('terminals.undo', { terminal, ...own })),
    stop: (terminal) => acted(ask('terminals.stop', { terminal, ...own }).then(() => 'stopped' as const)),
  };
}

type ResolvedRun = Extract<Input<'runs.start'>['run'], { kind: 'resolved' }>;
type Order = Input<'terminals.hold'>['order'];

const unnamed = ({ name: _, ...order }: TerminalOrder) => order;

const callerOf = ({ folder, environment }: Caller) => ({ folder, environment: { ...environment } });

const done = async (asked: Promise<unknown>): Promise<void> => void (await asked);

/** Plain JSON already, with types of its own. */
const plain = <Value>(value: object): Value => value as Value;

/** `undefined` where it is not known, or the caller does not wait any more. */
async function news<Name extends OperationName, News = never>(
  ask: AskApi,
  signal: AbortSignal | undefined,
  name: Name,
  input: Input<Name>,
): Promise<News | undefined> {
  try {
    return (await ask(name, input, signal === undefined ? {} : { signal })) as Output<Name> & News;
  } catch (error) {
    if (signal?.aborted === true) return undefined;
    if (error instanceof SupervisorRefusedError && error.problem === 'not-found') return undefined;
    throw error;
  }
}
