import { setTimeout as pause } from 'node:timers/promises';
import type { Store } from '@devs/core';
import type { Caller, QueueEnd, QueueNews, QueueOrder, RunEnd } from '@devs/supervisor';
import type { AskedSupervisor } from '../supervise/asked-supervisor.js';
import type { SupervisorLink } from '../supervise/supervisor-link.js';
import type { QueueFollowing } from './create-runs.js';
import {
  endOf,
  LEFT_MS,
  onceAborted,
  providedBy,
  readFacts,
  saidWhenLost,
  UNKNOWN_END,
  type WatchedRun,
  watchRun,
} from './watch-run.js';

interface QueueWatch {
  readonly order: QueueOrder;
  readonly following: QueueFollowing;
  readonly supervisor: SupervisorLink;
  readonly caller: Caller;
}

/** What is known so far. */
interface Known {
  seen: number;
  noticed: number;
  readonly runs: Map<string, WatchedRun>;
  readonly merged: Set<string>;
}

/** Has a queue carried out, and follows its runs until none is left that can be begun. */
export async function watchQueue(watch: QueueWatch): Promise<QueueEnd> {
  const { order, following, supervisor, caller } = watch;
  const { queue } = await supervisor.use((port) => port.queues.start(order, caller), saidWhenLost(following));
  const known: Known = { seen: 0, noticed: 0, runs: new Map(), merged: new Set() };
  const again = {
    ...saidWhenLost(following),
    async onFound(port: AskedSupervisor) {
      [known.seen, known.noticed] = [0, 0]; // the next one counts anew
      await port.queues.provide(queue, providedBy(caller, order.store));
    },
  };
  const stop = (now: boolean) => void supervisor.ask((port) => port.queues.stop(queue, { now })).catch(() => {});
  if (following.signal !== undefined) onceAborted(following.signal, () => stop(false));
  if (following.again !== undefined) onceAborted(following.again, () => stop(true));
  for (let isKnown = false; ; ) {
    const news = await supervisor.use((port) => port.queues.wait(queue, { seen: known.seen }), again);
    if (news?.isLeft === true) await pause(LEFT_MS);
    else if (news === undefined) {
      // The next supervisor continues an unfinished run. This one was stopped without a witness.
      if (isKnown) return endByRecords([...known.runs.values()], following.store);
      await supervisor.use((port) => port.queues.start(order, caller), again);
      await pause(LEFT_MS);
    } else {
      isKnown = true;
      hear(news, known, watch);
      if (!news.isOver) continue;
      await Promise.all([...known.runs.values()].map(({ run }) => run.done));
      if (news.end === undefined) throw new Error(news.problem ?? 'the outcome of the queue is unknown');
      return news.end;
    }
  }
}

function hear(news: QueueNews, known: Known, { order, following, supervisor, caller }: QueueWatch): void {
  const { signal: _, ...told } = following; // the queue stops its runs itself
  for (const id of news.runs) {
    if (known.runs.has(id)) continue;
    const watched = watchRun({ id, following: told, address: order.store, supervisor, caller });
    known.runs.set(id, watched);
    void watched.begun.then(() => following.onRun?.(watched.run));
  }
  for (const { run, merge } of news.merges) if (!known.merged.has(run)) following.onMerge?.(run, merge);
  for (const { run } of news.merges) known.merged.add(run);
  if (news.revision < known.seen) known.noticed = 0; // another supervisor
  for (const { number, notice } of news.notices) if (number > known.noticed) following.onNotice?.(notice);
  known.noticed = Math.max(known.noticed, news.notices.at(-1)?.number ?? 0);
  known.seen = news.revision;
}

/** What came of the tasks that were begun, where the queue itself is not known any more. */
async function endByRecords(watched: readonly WatchedRun[], store: Store): Promise<QueueEnd> {
  const ended = new Map<string, RunEnd>();
  for (const { run } of watched) {
    run.unfollow();
    await run.done;
    const facts = await readFacts(store, run.id);
    if (facts.plan?.task !== undefined) ended.set(facts.plan.task.id, endOf(facts) ?? UNKNOWN_END);
  }
  const { summaryOfQueue } = await import('@devs/supervisor'); // commands start without it
  const summary = summaryOfQueue(ended);
  return { ...summary, left: [], ...(summary.paused.length === 0 ? {} : { why: 'the supervisor was stopped' }) };
}
