import { endTerminalOf } from '../run/end-terminal-of.js';
import type { QueueEnd } from '../run/queue/queue-end.js';
import { runQueue } from '../run/queue/run-queue.js';
import type { RunEnd, RunHandle } from '../run/run.js';
import { awaitKeys, goneKeys, withStoreOf } from './keys.js';
import { createNews, createNoticeList } from './news.js';
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
}

/** The tasks of a queue that this supervisor takes, one after another. */
export interface QueueJob {
  readonly id: string;
  readonly token: string;
  readonly folder: string;
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
  const { workshop, vault } = deps;
  const id = adopted?.id ?? `queue-${given.token.replaceAll('-', '').slice(0, 12)}`;
  const runs: (QueuedRun & { changed(): void; leave(why: string): Promise<void> })[] = [];
  const merges: { readonly run: string; readonly merge: MergeNews }[] = [];
  let end: QueueEnd | undefined;
  let problem: string | undefined;
  let isOver = false;
  let isLeft = false;
  const calledOff = new AbortController();
  const leaving = new AbortController();
  const keys = awaitKeys(caller, adopted?.missing ?? []);
  const news = createNews<QueueNews>((revision) => ({
    revision,
    queue: id,
    runs: runs.map((run) => run.id),
    merges,
    notices: notices.list(),
    ...(end === undefined ? {} : { end }),
    ...(problem === undefined ? {} : { problem }),
    isOver,
    isLeft,
  }));
  const notices = createNoticeList(() => news.changed());
  const work = async (): Promise<void> => {
    const known = await keys.found();
    if (known === undefined) throw new Error(`${goneKeys(adopted?.missing ?? [])}. Start it again`);
    const order = withStoreOf(given, known);
    const before = adopted?.before ?? [];
    const keep = () => {
      const began = [...new Set([...before, ...runs.map((run) => run.id)])];
      return inTurn(() => vault.keep({ id, kind: 'queue', order, caller: known, runs: began }));
    };
    await keep();
    const opened = await workshop.open(order, known);
    try {
      const ended = await runQueue({
        ...opened.parts,
        parallel: order.settings.parallel,
        planFor: async (task) => opened.planFor(order, task),
        onRun(handle) {
          opened.began(handle);
          const run = createQueuedRun(handle, opened);
          runs.push(run);
          void keep().catch(() => {}); // an unfinished run is found by its task
          if (isLeft) void run.leave(LEFT); // it was being prepared
          news.changed();
          deps.onChange();
        },
        onNotice: notices.add,
        onChange() {
          for (const run of runs) if (!run.isOver) run.changed();
        },
        ...(order.merge
          ? {
              async afterDone(run: string) {
                merges.push({ run, merge: await mergeInTurn(() => opened.merge(run)) });
                news.changed();
              },
            }
          : {}),
        before,
        signal: calledOff.signal,
        leaving: leaving.signal,
      });
      for (const { run, merge } of merges) if (merge.isMerged) await opened.tidy(run);
      if (!isLeft) end = ended;
    } finally {
      await opened.close();
    }
  };
  const mergeInTurn = createTurns(); // two merges at a time would meet in the user's folder
  const inTurn = createTurns();
  const done = work()
    .catch(async (error: unknown) => {
      problem = error instanceof Error ? error.message : String(error);
      // The agents of a queue that cannot be continued: no one is left to limit them.
      const left = isLeft
        ? []
        : [...(adopted?.before ?? []), ...runs.filter((run) => !run.isOver).map((run) => run.id)];
      for (const run of left) await endTerminalOf(run, () => workshop.openHost(caller));
    })
    .then(async () => {
      if (!isLeft) await inTurn(() => vault.forget(id));
      isOver = true;
      news.over();
      deps.onChange();
    });
  return {
    id,
    token: given.token,
    folder: caller.folder,
    get isOver() {
      return isOver;
    },
    runs,
    done,
    news: news.read,
    wait: ({ seen }, signal) => news.wait(seen, signal),
    async stop({ now }) {
      calledOff.abort();
      if (now) await Promise.allSettled(runs.filter((run) => !run.isOver).map((run) => run.stop({ now })));
    },
    async leave(why) {
      if (isOver) return;
      isLeft = true;
      leaving.abort();
      news.changed();
      await Promise.allSettled(runs.filter((run) => !run.isOver).map((run) => run.leave(why)));
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
    changed: news.changed,
    async leave(why: string) {
      isLeft = true;
      await handle.leave(why);
    },
  };
}

/** One after the other. */
function createTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(work);
    last = turn.catch(() => {});
    return turn;
  };
}
