import { messageOf } from '@devs/core';
import { abandonedTasks, type LeftTask, leftTasks } from './left-tasks.js';
import { isOutage, outlastOutage } from './outlast-outage.js';
import { type QueueEnd, summary, type TaskEnd, whyNoMore } from './queue-end.js';
import { createRunIndex, type RunIndex } from './run-index.js';
import {
  claimMsOf,
  holdBack,
  isCalledOff,
  isOurs,
  labelsOf,
  type NextTask,
  outageOf,
  type QueueRequest,
  runToItsEnd,
  takeOver,
  unblockAnswered,
} from './run-task.js';

/**
 * Works through the queue, one task after another or several at a time, each in its own run. The queue handles
 * dependencies: it gives out only startable tasks. An interrupted task continues its run, even if its holder was
 * killed and the task is still claimed. An outage of the store ends the agents and is awaited; their runs then
 * continue.
 */
export async function runQueue(request: QueueRequest): Promise<QueueEnd> {
  const { store } = request;
  const runs = createRunIndex(store);
  const outlast = <T>(work: () => Promise<T>) => outlastOutage(work, outageOf(request));
  const ended = new Map<string, TaskEnd>(await outlast(() => endedBefore(request, runs)));
  const running = new Set<Promise<void>>();
  let why: string | undefined;
  const nextTask = createTaskSource(request, runs, await outlast(() => abandonedTasks(store, runs)));
  const taken = new Map<string, NextTask>();

  const begin = (next: NextTask) => {
    const { task } = next;
    taken.set(task.id, next);
    const job = runToItsEnd(request, runs, next)
      .catch((error: unknown) => holdBack(request, taken, task.id, error))
      .then((how) => {
        ended.set(task.id, how);
        request.onTask?.(task, how);
        why ??= whyNoMore(how);
      })
      .finally(() => running.delete(job));
    running.add(job);
  };
  /** What an outage that lasts leaves open is for the next queue. */
  const orEnd = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await outlast(work);
    } catch (error) {
      if (!isOutage(error)) throw error;
      why ??= messageOf(error);
      return undefined;
    }
  };
  try {
    for (;;) {
      while (running.size < Math.max(1, request.parallel) && why === undefined && !isCalledOff(request)) {
        const next = await orEnd(nextTask);
        if (next === undefined) break;
        begin(next);
      }
      if (running.size === 0) break;
      await Promise.race(running); // what depends on it may be started now
    }
  } finally {
    await Promise.allSettled(running); // the store may have failed under us: those that run are not left alone
  }
  const left = (await orEnd(() => tidyUp(request, runs, { ended, taken }))) ?? [];
  return { ...summary(ended), left, ...(why === undefined ? {} : { why }) };
}

/** Abandoned tasks first, then what the queue gives out. */
function createTaskSource(
  request: QueueRequest,
  runs: RunIndex,
  abandoned: Awaited<ReturnType<typeof abandonedTasks>>,
) {
  const { store, by } = request;
  const waiting = [...abandoned];
  const unblocked = new Set<string>();
  return async (): Promise<NextTask | undefined> => {
    const left = waiting[0];
    if (left !== undefined) {
      const next = await takeOver(request, left);
      waiting.shift();
      return next;
    }
    await unblockAnswered(request, runs, unblocked);
    const claim = await store.tasks.claim({ by, leaseMs: claimMsOf(request), labels: labelsOf(request) });
    return claim.status === 'claimed' ? claim : undefined;
  };
}

/** By their records: the holder may have died before reporting the end. */
async function endedBefore(
  { before = [] }: QueueRequest,
  runs: RunIndex,
): Promise<readonly (readonly [string, TaskEnd])[]> {
  if (before.length === 0) return [];
  const all = await runs.read();
  return all.flatMap(({ id, phase, task, plan }) => {
    const taskId = task?.id ?? plan?.task?.id;
    if (!before.includes(id) || taskId === undefined || phase.kind !== 'finished') return [];
    const { outcome, detail } = phase;
    return [[taskId, { status: 'finished', outcome, detail }] as const];
  });
}

/** What is left, once all that was held back is anybody's again. */
async function tidyUp(request: QueueRequest, runs: RunIndex, all: Taken): Promise<readonly LeftTask[]> {
  await giveBack(request, runs, all);
  return leftTasks(request.store, all.ended, labelsOf(request));
}

interface Taken {
  readonly ended: ReadonlyMap<string, TaskEnd>;
  readonly taken: ReadonlyMap<string, NextTask>;
}

/** What was held back is anybody's again. */
async function giveBack(request: QueueRequest, runs: RunIndex, { ended, taken }: Taken): Promise<void> {
  const { tasks } = request.store;
  for (const [id, { status }] of ended) {
    const [next, task] = [taken.get(id), status === 'troubled' ? await tasks.get(id) : undefined];
    if (next === undefined || task === undefined || !(await isOurs(request, runs, { ...next, task }))) continue;
    await tasks.release({ id, fence: task.fence });
  }
}
