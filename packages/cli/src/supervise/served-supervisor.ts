import { ApiError, type Output } from '@devs/api';
import { believed } from '@devs/core';
import type { Handlers, ServedSupervisor, SupervisedChange, SupervisedNotice } from '@devs/server';
import type { Caller, QueueOrder, RunOrder, SupervisorPort, TerminalNews } from '@devs/supervisor';
import type { TerminalHost } from '@devs/terminals';
import { type AskedRunsDeps, createAskedRuns } from './asked-runs.js';
import { createTerminalHandlers, type TerminalHandlersDeps } from './terminal-handlers.js';

export interface ServedSupervisorDeps extends Omit<AskedRunsDeps, 'environment'>, TerminalHandlersDeps {
  host(): Promise<TerminalHost>;
}

/** The supervisor as the server of the API needs it. `changed` is told when something of it may be different. */
export function createServedSupervisor(deps: ServedSupervisorDeps): ServedSupervisor & { changed(): void } {
  const { port, host } = deps;
  const notices = new Set<(notice: SupervisedNotice) => void>();
  const changes = new Set<(change: SupervisedChange) => void>();
  const seen = new Map<string, Seen>();
  const runs = new Map<string, string>();
  const look = async () => {
    for (const { run, revision } of await port.runs.list())
      if (isNewer(seen, `run ${run}`, revision)) for (const tell of changes) tell({ kind: 'run', id: run });
    for (const news of await port.terminals.list()) {
      const { name, run, revision } = news;
      if (run !== undefined) runs.set(name, run);
      const before = seen.get(name)?.notice ?? 0;
      if (!isNewer(seen, name, revision, news.notices.at(-1)?.number)) continue;
      for (const tell of changes) tell({ kind: 'terminal', id: name });
      for (const notice of newNotices(news, before)) for (const tell of notices) tell(notice);
    }
  };
  const changed = () => void look().catch(() => {}); // a supervisor that ends has nothing to tell
  changed();
  return {
    handlers: {
      ...supervisorHandlers(port),
      ...createRunHandlers(deps),
      ...queueHandlers(port),
      ...createTerminalHandlers(deps),
    },
    host,
    runOf: (terminal) => runs.get(terminal),
    user: (terminal, is) => void port.terminals.user(terminal, is).catch(() => {}), // it may be over
    onNotice: (listener) => listening(notices, listener),
    onChange: (listener) => listening(changes, listener),
    changed,
  };
}

interface Seen {
  readonly revision: number;
  readonly notice: number;
}

function isNewer(seen: Map<string, Seen>, key: string, revision: number, notice?: number): boolean {
  const before = seen.get(key) ?? { revision: 0, notice: 0 };
  seen.set(key, { revision, notice: notice ?? before.notice });
  return revision > before.revision;
}

function listening<Listener>(listeners: Set<Listener>, listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

const newNotices = ({ name, run, status, notices }: TerminalNews, before: number): readonly SupervisedNotice[] =>
  notices
    .filter(({ number }) => number > before)
    .map(({ notice }) => ({
      terminal: name,
      ...(run === undefined ? {} : { run }),
      renewals: status?.contextRefreshCount ?? 0,
      renewsItself: true, // agents are renewed unless the settings say otherwise, which are not known here
      notice,
    }));

const supervisorHandlers = (
  port: SupervisorPort,
): Pick<Handlers, 'status.get' | 'supervisor.keep' | 'supervisor.shutdown'> => ({
  'status.get': () => port.status(),
  async 'supervisor.keep'() {
    await port.keep();
    return { status: 'done' };
  },
  async 'supervisor.shutdown'({ how }) {
    await port.shutdown(how);
    return { status: 'done' };
  },
});

export type RunHandlers = Pick<
  Handlers,
  'runs.start' | 'runs.wait' | 'runs.provide' | 'runs.stop' | 'runs.resume' | 'runs.merge'
>;

function createRunHandlers(deps: ServedSupervisorDeps): RunHandlers {
  const { port } = deps;
  const { start, ...asked } = createAskedRuns({ ...deps, environment: deps.own.environment });
  return {
    ...asked,
    'runs.start': async ({ run, caller }) => {
      if (run.kind === 'asked') return start(run, caller);
      const { kind: _, ...order } = run;
      return port.runs.start(believed<RunOrder>(order), callerOf(caller));
    },
    'runs.wait': async ({ run, seen = 0 }, { signal }) =>
      plain<Output<'runs.wait'>>(await port.runs.wait(run, { seen }, signal), `supervised run ${run}`),
    async 'runs.provide'({ run, caller }) {
      await port.runs.provide(run, caller);
      return { status: 'done' };
    },
    'runs.stop': async ({ run, now = false }) => stopped(await port.runs.stop(run, { now })),
  };
}

type QueueName = 'queues.start' | 'queues.wait' | 'queues.provide' | 'queues.stop';

const queueHandlers = (port: SupervisorPort): Pick<Handlers, QueueName> => ({
  'queues.start': ({ order, caller }) => port.queues.start(believed<QueueOrder>(order), callerOf(caller)),
  'queues.wait': async ({ queue, seen = 0 }, { signal }) =>
    plain<Output<'queues.wait'>>(await port.queues.wait(queue, { seen }, signal), `supervised queue ${queue}`),
  async 'queues.provide'({ queue, caller }) {
    await port.queues.provide(queue, caller);
    return { status: 'done' };
  },
  'queues.stop': async ({ queue, now = false }) => stopped(await port.queues.stop(queue, { now })),
});

const stopped = (was: boolean) => ({ status: was ? 'stopped' : 'not-running' }) as const;

function callerOf(caller: Caller | undefined): Caller {
  if (caller === undefined) throw new ApiError('bad-request', 'the environment and folder of the caller are missing');
  return { folder: caller.folder, environment: caller.environment };
}

/** Plain JSON already, with types of its own. */
function plain<Value>(news: unknown, what: string): Value {
  if (news === undefined) throw new ApiError('not-found', `there is no ${what}`);
  return news as Value;
}
