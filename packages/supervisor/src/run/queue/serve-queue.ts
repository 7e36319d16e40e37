import { setTimeout as pause } from 'node:timers/promises';
import { type Dispatcher, isUnfinished, type Ticket } from '@devs/core';
import { isOutage } from './outlast-outage.js';
import { isOfTheRun, type QueueEnd, summary, type TaskEnd } from './queue-end.js';
import { createRunIndex, type RunIndex } from './run-index.js';
import {
  block,
  CLAIM_MS,
  holdBack,
  isOurs,
  labelsOf,
  type NextTask,
  type QueueRequest,
  runToItsEnd,
  unblockAnswered,
} from './run-task.js';

export interface ServeRequest extends QueueRequest {
  readonly dispatcher: Dispatcher;
  readonly machine: string;
  /** How often the tickets of startable tasks are issued. Default: every 5 s. */
  readonly issueMs?: number;
}

const ISSUE_MS = 5_000;
const MOST_TICKETS = 1_000;
/** So long a task that could not be begun here is left to other machines. */
const AVOID_MS = 120_000;
/** So long all machines wait when the budget of the day is used up. */
const BUDGET_MS = 600_000;

/** While a queue is served. */
interface Serving {
  /** Without its signal, which begins no more tasks and ends none. */
  readonly request: Omit<ServeRequest, 'signal'>;
  readonly runs: RunIndex;
  readonly ended: Map<string, TaskEnd>;
  readonly taken: Map<string, NextTask>;
  /** Until when a task is left to other machines. */
  readonly avoided: Map<string, number>;
  readonly unblocked: Set<string>;
  /** Aborted: no further task is begun. */
  readonly over: AbortSignal;
}

/**
 * Serves the queue until it is cancelled: takes the tickets that the dispatcher hands out, claims their tasks, and works
 * on each in its own run. A ticket proves nothing: the task's record decides. The tickets of all startable tasks are
 * issued again and again, so a dispatcher may forget them. Outages of the store are outlasted.
 */
export async function serveQueue({ signal, ...request }: ServeRequest): Promise<QueueEnd> {
  const { store, dispatcher, machine, parallel, leaving } = request; // the runs at work come to their end
  const own: Serving = {
    request,
    runs: createRunIndex(store.log),
    ended: new Map(),
    taken: new Map(),
    avoided: new Map(),
    unblocked: new Set(),
    over: AbortSignal.any([signal, leaving].filter((one) => one !== undefined)),
  };
  const issuing = issueUntilOver(own);
  const place = { name: machine, slots: Math.max(1, parallel), labels: labelsOf(request) };
  await dispatcher.serve(place, (ticket) => workOff(own, ticket), own.over);
  await issuing;
  return { ...summary(own.ended), left: [] };
}

async function issueUntilOver(own: Serving): Promise<void> {
  const { over, request } = own;
  while (!over.aborted) {
    await issue(own).catch((error: unknown) => {
      if (!isOutage(error)) throw error; // the store is back at one of the next times
    });
    await pause(request.issueMs ?? ISSUE_MS, undefined, { signal: over }).catch(() => {});
  }
}

/** The tasks that could begin now, and those whose run has not recorded its end. */
async function issue({ request, runs, unblocked }: Serving): Promise<void> {
  const { store, dispatcher } = request;
  await store.tasks.expire();
  await unblockAnswered(request, runs, unblocked);
  const startable = await store.tasks.startable(MOST_TICKETS);
  const unended = (await runs.read()).filter((run) => run.left !== undefined && isUnfinished(run));
  await dispatcher.issue([
    ...startable.map(({ id, needs = [], priority }) => ({ task: id, needs, priority })),
    ...unended.flatMap(({ task }) => (task === undefined ? [] : [{ task: task.id, needs: [], priority: 0 }])),
  ]);
}

/** Never rejects. */
async function workOff(own: Serving, { task: id, needs }: Ticket): Promise<void> {
  const { request, ended, taken, avoided } = own;
  if ((avoided.get(id) ?? 0) > performance.now()) return;
  try {
    const next = await take(own, id);
    if (next === undefined) return;
    taken.set(id, next);
    const how = await runToItsEnd(request, own.runs, next).catch((error: unknown) =>
      holdBack(request, taken, id, error),
    );
    ended.set(id, how);
    await settle(own, id, needs, how);
    request.onTask?.(next.task, how);
    await issue(own);
  } catch {
    // The store cannot be used now; the task is issued again when its claim is over.
  }
}

async function take({ request, runs }: Serving, id: string): Promise<NextTask | undefined> {
  const { store, by } = request;
  const claim = await store.tasks.claim({ by, leaseMs: CLAIM_MS, id });
  if (claim.status === 'claimed') return claim;
  const task = await store.tasks.get(id);
  const run = await runs.findOf(id);
  const isUnended = task?.status === 'done' || task?.status === 'failed';
  return isUnended && run?.left !== undefined && run.task?.fence === task.fence ? { task, run } : undefined;
}

/** What keeps the same task from being begun again at once. */
async function settle(own: Serving, id: string, needs: readonly string[], how: TaskEnd): Promise<void> {
  const { request, avoided, taken, runs, over } = own;
  const next = taken.get(id);
  if (next === undefined || over.aborted) return;
  if (how.status === 'troubled') {
    avoided.set(id, performance.now() + AVOID_MS);
    const task = await request.store.tasks.get(id);
    if (task !== undefined && (await isOurs(request, runs, { ...next, task })))
      await request.store.tasks.release({ id, fence: task.fence });
  } else if (how.status === 'paused' && how.escalation === undefined && !isOfTheRun(how.budget)) {
    if (how.budget === undefined) await block(request, runs, next, `its run was stopped: ${how.why}`);
    else await request.dispatcher.hold(needs, BUDGET_MS);
  }
}
