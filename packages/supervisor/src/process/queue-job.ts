import { createSerialQueue, messageOf } from '@devs/core';
import { endTerminalOf } from '../run/end-terminal-of.js';
import { keepPresence } from '../run/queue/keep-presence.js';
import type { QueueEnd } from '../run/queue/queue-end.js';
import { runQueue } from '../run/queue/run-queue.js';
import type { QueueRequest } from '../run/queue/run-task.js';
import { type ServeRequest, serveQueue } from '../run/queue/serve-queue.js';
import type { RunEnd, RunHandle } from '../run/run.js';
import { awaitKeys, goneKeys, type MissingKeys, withStoreOf } from './keys.js';
import { createNews, createNoticeList, type News } from './news.js';
import type { Caller, MergeNews, QueueNews, QueueOrder, RunNews, WaitFor } from './port.js';
import type { JobDeps } from './run-job.js';
import type { OpenedOrder } from './workshop.js';

/** One run of a queue, as its followers see it. */
export interface QueuedRun {
  readonly id: string;
  readonly isOver: boolean;
  news(): RunNews;
  wait(wait: WaitFor, signal?: AbortSignal): Promise<RunNews>;
  stop(how: { readonly now: boolean }): Promise<void>;
  user: RunHandle['user'];
  interrupt: RunHandle['interrupt'];
  renew: RunHandle['renew'];
}

/** The tasks of a queue that this supervisor takes, one after another. */
export interface QueueJob {
  readonly id: string;
  readonly token: string;
  readonly folder: string;
  readonly order: QueueOrder;
  /** It begins no more tasks. */
  readonly isEnding: boolean;
  readonly isOver: boolean;
  readonly runs: readonly QueuedRun[];
  readonly done: Promise<void>;
  news(): QueueNews;
  wait(wait: WaitFor, signal?: AbortSignal): Promise<QueueNews>;
  stop(how: { readonly now: boolean }): Promise<void>;
  leave(why: string): Promise<void>;
  provide(caller: Caller): void;
}

interface Adoption {
  readonly id: string;
  readonly missing: readonly string[];
  /** The runs that it began before. */
  readonly before: readonly string[];
}

/** A queue that is adopted finds the tasks that the one before it had claimed by itself. */
export function beginQueue(deps: JobDeps, given: QueueOrder, caller: Caller, adopted?: Adoption): QueueJob {
  const id = adopted?.id ?? `queue-${given.token.replaceAll('-', '').slice(0, 12)}`;
  const news = createNews<QueueNews>((revision) => describe(own, revision));
  const own: Holding = {
    deps,
    id,
    caller,
    given,
    before: adopted?.before ?? [],
    missing: adopted?.missing ?? [],
    state: { runs: [], merges: [] },
    news,
    notices: createNoticeList(() => news.changed()),
    keys: awaitKeys(caller, adopted?.missing ?? []),
    calledOff: new AbortController(),
    leaving: new AbortController(),
    keepInTurn: createSerialQueue(),
  };
  const done = hold(own)
    .catch((error: unknown) => fail(own, error))
    .then(() => close(own));
  return jobOf(own, done);
}

/** A queue while it is held. */
interface Holding {
  readonly deps: JobDeps;
  readonly id: string;
  readonly caller: Caller;
  readonly given: QueueOrder;
  /** The runs that the supervisor before this one began. */
  readonly before: readonly string[];
  readonly missing: readonly string[];
  readonly state: QueueState;
  readonly news: News<QueueNews>;
  readonly notices: ReturnType<typeof createNoticeList>;
  readonly keys: MissingKeys;
  /** Aborted: no further task is begun. */
  readonly calledOff: AbortController;
  /** Aborted: the next supervisor continues. */
  readonly leaving: AbortController;
  /** What is entrusted grows: the newest is written last. */
  readonly keepInTurn: ReturnType<typeof createSerialQueue>;
}

/** What is known of it so far. */
interface QueueState {
  readonly runs: HeldRun[];
  readonly merges: { readonly run: string; readonly merge: MergeNews }[];
  end?: QueueEnd;
  problem?: string;
  isOver?: true;
}

type HeldRun = ReturnType<typeof createQueuedRun>;

function describe({ id, state, notices, leaving }: Holding, revision: number): QueueNews {
  const { runs, merges, end, problem, isOver = false } = state;
  return {
    revision,
    queue: id,
    runs: runs.map((run) => run.id),
    merges,
    notices: notices.list(),
    ...(end === undefined ? {} : { end }),
    ...(problem === undefined ? {} : { problem }),
    isOver,
    isLeft: leaving.signal.aborted,
  };
}

/** From its order until its tasks are done, or it is let go. */
async function hold(own: Holding): Promise<void> {
  const { deps, given, missing, state, keys, leaving } = own;
  const known = await keys.found();
  if (known === undefined) throw new Error(`${goneKeys(missing)}. Start it again`);
  const order = withStoreOf(given, known);
  const keep = () => keepQueue(own, order, known);
  await keep();
  const opened = await deps.workshop.open(order, known);
  try {
    const end = await takeTasks(own, order, { opened, keep });
    for (const { run, merge } of state.merges) if (merge.isMerged) await opened.tidy(run);
    if (!leaving.signal.aborted) state.end = end;
  } finally {
    await opened.close();
  }
}

function keepQueue({ deps, id, before, state, keepInTurn }: Holding, order: QueueOrder, caller: Caller): Promise<void> {
  const runs = [...new Set([...before, ...state.runs.map((run) => run.id)])];
  return keepInTurn(() => deps.vault.keep({ id, kind: 'queue', order, caller, runs }));
}

interface Taking {
  readonly opened: OpenedOrder;
  keep(): Promise<void>;
}

function takeTasks(own: Holding, order: QueueOrder, { opened, keep }: Taking): Promise<QueueEnd> {
  const { deps, before, state, news, notices, calledOff, leaving } = own;
  const mergeInTurn = createSerialQueue(); // two merges at a time would meet in the user's folder
  const afterDone = async (run: string) => {
    state.merges.push({ run, merge: await mergeInTurn(() => opened.merge(run)) });
    news.changed();
  };
  const request: QueueRequest = {
    ...opened.parts,
    parallel: order.settings.parallel,
    labels: order.settings.fleet.labels,
    planFor: async (task) => opened.planFor(order, task),
    onRun(handle) {
      opened.began(handle);
      const run = createQueuedRun(handle, opened);
      state.runs.push(run);
      void keep().catch(() => {}); // an unfinished run is found by its task
      if (leaving.signal.aborted) void run.leave(LEFT); // it was being prepared
      news.changed();
      deps.onChange();
    },
    onNotice: notices.add,
    onChange() {
      for (const run of openIn(state)) run.changed();
    },
    ...(order.merge ? { afterDone } : {}),
    before,
    signal: calledOff.signal,
    leaving: leaving.signal,
  };
  const { parallel } = order.settings.fleet;
  const limit = parallel === undefined ? {} : { parallelInAll: parallel };
  return order.serves === true ? serve({ ...request, ...limit }, opened) : runQueue(request);
}

/** As a machine of the fleet, which others see while it serves. */
async function serve(
  request: QueueRequest & Pick<ServeRequest, 'parallelInAll'>,
  { joinFleet }: OpenedOrder,
): Promise<QueueEnd> {
  const { dispatcher, facts } = await joinFleet();
  try {
    const presence = await keepPresence(request, facts);
    try {
      return await serveQueue({ ...request, dispatcher, machine: facts.name });
    } finally {
      await presence.end();
    }
  } finally {
    await dispatcher.close();
  }
}

const openIn = ({ runs }: QueueState): readonly HeldRun[] => runs.filter((run) => !run.isOver);

async function fail({ deps, caller, before, state, leaving }: Holding, error: unknown): Promise<void> {
  state.problem = messageOf(error);
  if (leaving.signal.aborted) return;
  // The agents of a queue that cannot be continued: no one is left to limit them.
  for (const run of [...before, ...openIn(state).map(({ id }) => id)])
    await endTerminalOf(run, () => deps.workshop.openHost(caller));
}

async function close({ deps, id, state, news, leaving, keepInTurn }: Holding): Promise<void> {
  if (!leaving.signal.aborted) await keepInTurn(() => deps.vault.forget(id));
  state.isOver = true;
  news.over();
  deps.onChange();
}

function jobOf({ id, given, caller, state, news, keys, calledOff, leaving }: Holding, done: Promise<void>): QueueJob {
  return {
    id,
    token: given.token,
    folder: caller.folder,
    order: given,
    get isEnding() {
      return calledOff.signal.aborted;
    },
    get isOver() {
      return state.isOver ?? false;
    },
    runs: state.runs,
    done,
    news: news.read,
    wait: ({ seen }, signal) => news.wait(seen, signal),
    async stop({ now }) {
      calledOff.abort();
      if (now) await Promise.allSettled(openIn(state).map((run) => run.stop({ now })));
    },
    async leave(why) {
      if (state.isOver) return;
      leaving.abort();
      news.changed();
      await Promise.allSettled(openIn(state).map((run) => run.leave(why)));
      await done;
    },
    provide: keys.provide,
  };
}

const LEFT = 'the supervisor is replaced';

function createQueuedRun(handle: RunHandle, opened: Pick<OpenedOrder, 'tellEnd'>) {
  let end: RunEnd | undefined;
  let isLeft = false;
  const news = createNews<RunNews>((revision) => ({
    revision,
    run: handle.id,
    notes: [],
    notices: [],
    status: handle.status(),
    ...(end === undefined ? {} : { end }),
    isOver: end !== undefined,
    isLeft,
  }));
  void handle.done.then((ended) => {
    if (!isLeft) opened.tellEnd(handle.id, ended);
    end = ended;
    news.over();
  });
  return {
    id: handle.id,
    get isOver() {
      return end !== undefined;
    },
    news: news.read,
    wait: ({ seen }: WaitFor, signal?: AbortSignal) => news.wait(seen, signal),
    stop: handle.stop,
    user: handle.user,
    interrupt: handle.interrupt,
    renew: handle.renew,
    changed: news.changed,
    async leave(why: string) {
      isLeft = true;
      await handle.leave(why);
    },
  };
}
