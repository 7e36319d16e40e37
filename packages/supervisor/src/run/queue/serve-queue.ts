import { setTimeout as pause } from 'node:timers/promises';
import { type Dispatcher, isUnfinished, type NamedLease, type TaskRecord, type Ticket } from '@devs/core';
import { DEFAULT_TIMING } from '../../supervision.js';
import { isOutage } from './outlast-outage.js';
import { isOfTheRun, type QueueEnd, summary, type TaskEnd } from './queue-end.js';
import { createRunIndex, type RunIndex } from './run-index.js';
import {
  block,
  type Claimer,
  claimMsOf,
  holdBack,
  isOurs,
  labelsOf,
  type NextTask,
  type QueueRequest,
  runToItsEnd,
  unblockAnswered,
} from './run-task.js';
import { createSharedSlots, type SharedSlots } from './shared-slots.js';

export interface ServeRequest extends QueueRequest {
  readonly dispatcher: Dispatcher;
  readonly machine: string;
  /** How often the tickets of startable tasks are issued. Default: every 5 s. */
  readonly issueMs?: number;
  /** Tasks at a time on all machines together; no limit without it. */
  readonly parallelInAll?: number;
}

/** Serving without what a run is made of. */
export interface TicketRequest
  extends Claimer,
    Pick<ServeRequest, 'dispatcher' | 'machine' | 'parallel' | 'parallelInAll' | 'issueMs' | 'onTask'> {
  /** What this machine has. */
  readonly labels: readonly string[];
  /** Aborted: no further task is begun, and those at work come to their end. */
  readonly over: AbortSignal;
  /** Takes a claimed task to its end. `onParked`: it waits for a usage limit that ends after so long. */
  carryOut(next: NextTask, runs: RunIndex, onParked: (ms: number) => void): Promise<TaskEnd>;
}

const ISSUE_MS = 5_000;
/** Where more tasks could begin than tickets are issued at once. */
const MORE_MS = 1_000;
const MAX_TICKETS = 1_000;
/** The machine that issues the tickets of all tasks. The next one does it when this one is gone. */
const ISSUER = 'fleet:issuer';
const ISSUER_LEASES = 3;
const MIN_LEASE_MS = 1_000;
/** So long a task that could not be begun here is left to other machines. */
const AVOID_MS = 120_000;
/** A run that waits longer than this leaves its slot to another. */
const LONG_WAIT_MS = 600_000;
/** So long all machines wait when the budget of the day is used up. */
const BUDGET_MS = 600_000;

/** While a queue is served. */
interface Serving {
  readonly request: TicketRequest;
  readonly runs: RunIndex;
  readonly ended: Map<string, TaskEnd>;
  readonly taken: Map<string, NextTask>;
  /** Until when a task is left to other machines. */
  readonly avoided: Map<string, number>;
  readonly unblocked: Set<string>;
  readonly sharedSlots: SharedSlots | undefined;
  /** Those that have given their slot back, too. */
  readonly atWork: Set<Promise<void>>;
  /** Held by the machine that issues the tickets of all tasks. */
  issuing: NamedLease | undefined;
}

/** Serves the queue until it is cancelled, each task in its own run. */
export function serveQueue({ signal, ...request }: ServeRequest): Promise<QueueEnd> {
  const { leaving } = request; // without its signal: the runs at work come to their end
  return serveTickets({
    ...request,
    labels: labelsOf(request),
    over: AbortSignal.any([signal, leaving].filter((one) => one !== undefined)),
    carryOut: (next, runs, onParked) =>
      runToItsEnd({ ...request, onNotice: hearParked(request, onParked) }, runs, next),
  });
}

const hearParked =
  ({ onNotice, clock }: QueueRequest, onParked: (ms: number) => void): NonNullable<QueueRequest['onNotice']> =>
  (notice) => {
    onNotice?.(notice);
    if (notice.kind === 'parked') onParked(notice.until - clock.now());
  };

/**
 * Takes the tickets that the dispatcher hands out, and claims their tasks. A ticket proves nothing: the task's record
 * decides. The tickets of all startable tasks are issued again and again, so a dispatcher may forget them. Outages of the
 * store are outlasted.
 */
export async function serveTickets(request: TicketRequest): Promise<QueueEnd> {
  const { store, dispatcher, machine, parallel, labels, over } = request;
  const own: Serving = {
    request,
    runs: createRunIndex(store),
    ended: new Map(),
    taken: new Map(),
    avoided: new Map(),
    unblocked: new Set(),
    sharedSlots: sharedSlotsOf(request),
    atWork: new Set(),
    issuing: undefined,
  };
  const issuing = issueUntilOver(own);
  await dispatcher.serve(
    { name: machine, slots: Math.max(1, parallel), labels },
    (ticket) => workOff(own, ticket),
    over,
  );
  while (own.atWork.size > 0) await Promise.race(own.atWork);
  await issuing;
  if (own.issuing !== undefined) await store.leases.release(own.issuing).catch(() => false);
  return { ...summary(own.ended), left: [] };
}

async function issueUntilOver(own: Serving): Promise<void> {
  const { over, issueMs = ISSUE_MS } = own.request;
  while (!over.aborted) {
    let hasMore = false;
    try {
      hasMore = await issueAll(own);
    } catch (error) {
      if (!isOutage(error)) throw error; // the store is back at one of the next times
    }
    await pause(hasMore ? Math.min(MORE_MS, issueMs) : issueMs, undefined, { signal: over }).catch(() => {});
  }
}

/**
 * The tickets of all tasks that could begin now, by one machine at a time, and of runs that have not recorded their end.
 * Whether there are more.
 */
async function issueAll(own: Serving): Promise<boolean> {
  const { request, runs, unblocked } = own;
  const { store, by, issueMs = ISSUE_MS, dispatcher } = request;
  const leaseMs = ISSUER_LEASES * Math.max(issueMs, MIN_LEASE_MS);
  const isStill = own.issuing !== undefined && (await store.leases.renew({ ...own.issuing, leaseMs }));
  if (!isStill) {
    const outcome = await store.leases.acquire({ name: ISSUER, by, leaseMs });
    own.issuing = outcome.status === 'acquired' ? outcome.lease : undefined;
    if (own.issuing === undefined) return false;
  }
  await store.tasks.expire();
  await unblockAnswered(request, runs, unblocked);
  const unended = (await runs.read()).filter((run) => run.left !== undefined && isUnfinished(run));
  const startable = await store.tasks.startable(MAX_TICKETS);
  await dispatcher.issue([
    ...startable.map(ticketOf),
    ...unended.flatMap(({ task }) => (task === undefined ? [] : [{ task: task.id, needs: [], priority: 0 }])),
  ]);
  return startable.length === MAX_TICKETS;
}

/** The tickets of what depended on a task that has ended. */
async function issueFreed({ store, dispatcher }: TicketRequest, id: string): Promise<void> {
  const freed = await store.tasks.freedBy(id);
  if (freed.length > 0) await dispatcher.issue(freed.map(ticketOf));
}

const ticketOf = ({ id, needs = [], priority }: TaskRecord): Ticket => ({ task: id, needs, priority });

/** Until its task has ended, or waits so long that its slot is free. Never rejects. */
async function workOff(own: Serving, ticket: Ticket): Promise<void> {
  if ((own.avoided.get(ticket.task) ?? 0) > performance.now()) return;
  const { sharedSlots, request } = own;
  const freeShared = sharedSlots === undefined ? freeNothing : await sharedSlots.take(request.over);
  if (freeShared === undefined) return;
  let giveBack = () => {};
  const longWait = new Promise<void>((resolve) => {
    giveBack = resolve;
  });
  const job = carryOut(own, ticket, (ms) => {
    if (ms <= 0) return;
    void request.dispatcher.hold(ticket.needs, ms).catch(() => {}); // others find out by themselves
    if (ms >= LONG_WAIT_MS) giveBack();
  }).finally(() => own.atWork.delete(job));
  own.atWork.add(job);
  await Promise.race([job, longWait]);
  await freeShared();
}

const freeNothing = async (): Promise<void> => {};

/** Before its task is claimed, and until it has ended: what waits for a slot of all is no more than a ticket. */
function sharedSlotsOf({ store, by, timing, parallelInAll: count }: TicketRequest): SharedSlots | undefined {
  if (count === undefined) return undefined;
  const { leaseMs } = { ...DEFAULT_TIMING, ...timing };
  return createSharedSlots({ leases: store.leases, by, count, leaseMs });
}

/** Never rejects. */
async function carryOut(own: Serving, { task: id, needs }: Ticket, onParked: (ms: number) => void): Promise<void> {
  const { request, ended, taken } = own;
  try {
    const next = await take(own, id);
    if (next === undefined) return;
    taken.set(id, next);
    const how = await request
      .carryOut(next, own.runs, onParked)
      .catch((error: unknown) => holdBack(request, taken, id, error));
    ended.set(id, how);
    await settle(own, id, needs, how);
    request.onTask?.(next.task, how);
    void issueFreed(request, id).catch(() => {}); // they are issued with all others
  } catch {
    // The store cannot be used now; the task is issued again when its claim is over.
  }
}

async function take({ request, runs }: Serving, id: string): Promise<NextTask | undefined> {
  const { store, by } = request;
  const claim = await store.tasks.claim({ by, leaseMs: claimMsOf(request), id });
  if (claim.status === 'claimed') return claim;
  const task = await store.tasks.get(id);
  const run = await runs.findOf(id);
  const isUnended = task?.status === 'done' || task?.status === 'failed';
  return isUnended && run?.left !== undefined && run.task?.fence === task.fence ? { task, run } : undefined;
}

/** What keeps the same task from being begun again at once. */
async function settle(own: Serving, id: string, needs: readonly string[], how: TaskEnd): Promise<void> {
  const { request, avoided, taken, runs } = own;
  const next = taken.get(id);
  if (next === undefined || request.over.aborted) return;
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
