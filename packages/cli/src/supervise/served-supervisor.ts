import { ApiError, type Output, type Terminal } from '@devs/api';
import type { ServedSupervisor, SupervisedChange, SupervisedNotice } from '@devs/server';
import type { Caller, QueueOrder, RunNews, RunOrder, SupervisorPort, TerminalStatus } from '@devs/supervisor';
import type { TerminalHost } from '@devs/terminals';

type Handlers = ServedSupervisor['handlers'];

/** The supervisor as the server of the API needs it. `changed` is told when something of it may be different. */
export function createServedSupervisor(
  port: SupervisorPort,
  host: () => Promise<TerminalHost>,
): ServedSupervisor & { changed(): void } {
  const notices = new Set<(notice: SupervisedNotice) => void>();
  const changes = new Set<(change: SupervisedChange) => void>();
  const seen = new Map<string, Seen>();
  const runs = new Map<string, string>();
  const look = async () => {
    for (const news of await port.runs.list()) {
      for (const { name } of news.status?.terminals ?? []) runs.set(name, news.run);
      const before = seen.get(news.run) ?? { revision: 0, notice: 0 };
      seen.set(news.run, { revision: news.revision, notice: news.notices.at(-1)?.number ?? before.notice });
      if (news.revision > before.revision) for (const tell of changes) tell({ kind: 'run', id: news.run });
      for (const notice of newNotices(news, before)) for (const tell of notices) tell(notice);
    }
  };
  const changed = () => void look().catch(() => {}); // a supervisor that ends has nothing to tell
  changed();
  return {
    handlers: { ...supervisorHandlers(port), ...runHandlers(port), ...queueHandlers(port) },
    host,
    runOf: (terminal) => runs.get(terminal),
    user(terminal, is) {
      const run = runs.get(terminal);
      if (run !== undefined) void port.runs.user(run, is).catch(() => {}); // it may be over
    },
    onNotice: (listener) => listening(notices, listener),
    onChange: (listener) => listening(changes, listener),
    changed,
  };
}

interface Seen {
  readonly revision: number;
  readonly notice: number;
}

function listening<Listener>(listeners: Set<Listener>, listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function newNotices({ run, status, notices }: RunNews, before: Seen): readonly SupervisedNotice[] {
  const terminal = status?.terminals.at(-1);
  if (terminal === undefined) return [];
  return notices
    .filter(({ number }) => number > before.notice)
    .map(({ notice }) => ({
      terminal: terminal.name,
      run,
      renewals: terminal.contextRefreshCount,
      renewsItself: true, // agents of runs are renewed unless the settings say otherwise, which are not told here
      notice,
    }));
}

const supervisorHandlers = (
  port: SupervisorPort,
): Pick<Handlers, 'status.get' | 'supervisor.keep' | 'supervisor.shutdown' | 'terminals.list'> => ({
  'status.get': () => port.status(),
  async 'supervisor.keep'() {
    await port.keep();
    return { status: 'done' };
  },
  async 'supervisor.shutdown'({ how }) {
    setImmediate(() => void port.shutdown(how)); // who asked gets an answer first
    return { status: 'done' };
  },
  async 'terminals.list'() {
    const news = await port.runs.list();
    return { terminals: news.flatMap(({ run, status }) => (status?.terminals ?? []).map((one) => listed(one, run))) };
  },
});

type RunName = 'runs.start' | 'runs.wait' | 'runs.provide' | 'runs.stop';

const runHandlers = (port: SupervisorPort): Pick<Handlers, RunName> => ({
  async 'runs.start'({ run, caller }) {
    if (run.kind === 'asked')
      throw new ApiError('bad-request', 'a run is started with `devs run`: it asks what it needs');
    const { kind: _, ...order } = run;
    return port.runs.start(order as unknown as RunOrder, callerOf(caller));
  },
  'runs.wait': async ({ run, seen = 0 }, { signal }) =>
    plain<Output<'runs.wait'>>(await port.runs.wait(run, { seen }, signal), `supervised run ${run}`),
  async 'runs.provide'({ run, caller }) {
    await port.runs.provide(run, caller);
    return { status: 'done' };
  },
  'runs.stop': async ({ run, now = false }) => stopped(await port.runs.stop(run, { now })),
});

type QueueName = 'queues.start' | 'queues.wait' | 'queues.provide' | 'queues.stop';

const queueHandlers = (port: SupervisorPort): Pick<Handlers, QueueName> => ({
  'queues.start': ({ order, caller }) => port.queues.start(order as unknown as QueueOrder, callerOf(caller)),
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

const NEEDS = { escalation: 'escalated', answer: 'waiting', arguments: 'arguments' } as const;

function listed(status: TerminalStatus, run: string): Terminal {
  const { state, usage, needs, conversationId, parkedUntil, resumeCommand, contextRefreshCount } = status;
  return {
    name: status.name,
    agent: status.agent,
    folder: status.folder,
    run,
    activity: state?.activity ?? 'exited',
    ...(state === undefined ? {} : { since: state.since, detail: state.evidence.detail }),
    ...(usage === undefined ? {} : { usage: { usedTokens: usage.usedTokens, windowTokens: usage.windowTokens } }),
    pressure: status.pressure,
    mark: status.mark,
    isRenewing: status.contextRefreshState !== null,
    renewals: contextRefreshCount,
    contextRefreshCount,
    contextRefreshState: status.contextRefreshState,
    isSupervised: true,
    isAttended: status.isAttended,
    ...(conversationId === undefined ? {} : { conversationId }),
    ...(parkedUntil === undefined ? {} : { parkedUntil }),
    ...(resumeCommand === undefined ? {} : { resumeCommand }),
    ...(needs === undefined ? {} : { needs: { ...needs, kind: NEEDS[needs.kind] } }),
  };
}
