import { hasLabels, type Machine, messageOf, type Ticket } from '@devs/core';
import { type Job, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { createSlots } from '../slots.js';
import { needsOf } from './kinds.js';

interface Serving {
  readonly connection: Redis;
  readonly prefix: string;
  readonly machine: Machine;
  readonly token: string;
  readonly lockMs: number;
  /** The queues that exist. */
  kinds(): Promise<readonly string[]>;
  work(ticket: Ticket): Promise<void>;
  /** It can be issued again. */
  onWorkedOff(ticket: Ticket): void;
  readonly signal: AbortSignal;
  onTrouble(message: string): void;
}

/** How long an idle machine waits before it asks again. */
const LOOK_MS = 250;
/** A stalled ticket is never given up: the task's record says when it is done. */
const MOST_STALLS = 1e6;
/** Without this, BullMQ does not look at its rate limit. */
const NO_LIMIT = { max: 1e9, duration: 1 };

/**
 * Hands out the tickets of all queues that a machine has the labels for. The slots are of the machine, not of a queue,
 * so tickets are fetched one by one.
 */
export async function serveQueues(serving: Serving): Promise<void> {
  const { machine, signal, lockMs } = serving;
  const workers = new Map<string, Worker>();
  const slots = createSlots(machine.slots);
  const held = new Set<Job>();
  const renewal = setInterval(() => void renewAll(held, serving), lockMs / 3);
  try {
    while (!signal.aborted) {
      const next = slots.isFull ? undefined : await orWhenStopped(fetchNext(serving, workers), signal);
      if (next === undefined) await slots.change(LOOK_MS, signal);
      else slots.fill(() => workOff(next, held, serving));
    }
    await slots.empty();
  } finally {
    clearInterval(renewal);
    await Promise.allSettled([...workers.values()].map((worker) => worker.close(true)));
  }
}

interface Fetched {
  readonly job: Job;
  readonly ticket: Ticket;
}

async function fetchNext(serving: Serving, workers: Map<string, Worker>): Promise<Fetched | undefined> {
  const { machine, token, onTrouble, signal } = serving;
  try {
    const kinds = await serving.kinds();
    for (const kind of kinds.filter((each) => hasLabels(machine.labels, needsOf(each)))) {
      if (signal.aborted) return undefined;
      const worker = workers.get(kind) ?? openWorker(kind, serving);
      workers.set(kind, worker);
      const job = await worker.getNextJob(token, { block: false });
      const ticket = job === undefined ? undefined : ticketOf(job.data, needsOf(kind));
      if (job !== undefined && ticket !== undefined) return { job, ticket };
    }
  } catch (error) {
    onTrouble(messageOf(error));
  }
  return undefined;
}

function openWorker(kind: string, { connection, prefix, lockMs, onTrouble }: Serving): Worker {
  const worker = new Worker(kind, null, {
    connection,
    prefix,
    autorun: false,
    lockDuration: lockMs,
    stalledInterval: lockMs,
    maxStalledCount: MOST_STALLS,
    limiter: NO_LIMIT,
    skipVersionCheck: true,
  });
  worker.on('error', (error) => onTrouble(error.message));
  void worker.startStalledCheckTimer().catch((error: Error) => onTrouble(error.message));
  return worker;
}

function ticketOf(data: unknown, needs: readonly string[]): Ticket | undefined {
  if (typeof data !== 'object' || data === null || !('task' in data) || typeof data.task !== 'string') return undefined;
  const priority = 'priority' in data && typeof data.priority === 'number' ? data.priority : 0;
  return { task: data.task, needs, priority };
}

async function workOff({ job, ticket }: Fetched, held: Set<Job>, serving: Serving): Promise<void> {
  held.add(job);
  try {
    await serving.work(ticket);
  } finally {
    held.delete(job);
    await forget(job, serving);
    serving.onWorkedOff(ticket);
  }
}

/** Where its lock was lost, or the engine forgot it, there is nothing to forget. */
const forget = (job: Job, { token, signal }: Serving): Promise<unknown> =>
  orWhenStopped(
    job.moveToCompleted(null, token, false).catch(() => {}),
    signal,
  );

/** A lost lock is ignored: the lease of the task decides. */
const renewAll = (held: ReadonlySet<Job>, { token, lockMs }: Serving): Promise<unknown> =>
  Promise.allSettled([...held].map((job) => job.extendLock(token, lockMs)));

/** A server that does not answer must not hold up the end. */
async function orWhenStopped<T>(asked: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  if (signal.aborted) return Promise.race([asked, later(END_MS)]);
  const over = new AbortController();
  const stopped = new Promise<undefined>((resolve) => {
    const end = () => void later(END_MS).then(resolve);
    signal.addEventListener('abort', end, { once: true, signal: over.signal });
  });
  try {
    return await Promise.race([asked, stopped]);
  } finally {
    over.abort();
  }
}

const END_MS = 2_000;

const later = (ms: number): Promise<undefined> =>
  new Promise((resolve) => {
    setTimeout(() => resolve(undefined), ms).unref();
  });
