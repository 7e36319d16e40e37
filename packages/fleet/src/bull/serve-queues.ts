import { hasLabels, type Machine, messageOf, type Ticket } from '@devs/core';
import { Job, Worker } from 'bullmq';
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
  onError(message: string): void;
}

/** How long an idle machine waits before it asks again; longer each time that there is nothing. */
const LOOK_MS = { least: 250, most: 1_000 } as const;
/** So long the list of queues is taken for complete. */
const KINDS_MS = 1_000;
/** A stalled ticket is never given up: the task's record says when it is done. */
const MAX_STALLS = 1e6;
/** Without this, BullMQ does not look at its rate limit. */
const NO_LIMIT = { max: 1e9, duration: 1 };

/**
 * Hands out the tickets of all queues that a machine has the labels for. The slots are of the machine, not of a queue,
 * so tickets are fetched one by one.
 */
export async function serveQueues(serving: Serving): Promise<void> {
  const { machine, signal, lockMs } = serving;
  const slots = createSlots(machine.slots);
  const held = new Set<Job>();
  const source = createSource(serving);
  const renewal = setInterval(() => void renewAll(held, serving), lockMs / 3);
  let lookMs: number = LOOK_MS.least;
  try {
    while (!signal.aborted) {
      const next = slots.isFull ? undefined : await orWhenStopped(source.fetchNext(), signal);
      if (next === undefined) await slots.change(lookMs, signal);
      else slots.fill(() => workInTurn(next, { held, source, serving }));
      lookMs = next === undefined ? Math.min(2 * lookMs, LOOK_MS.most) : LOOK_MS.least;
    }
    await slots.empty();
  } finally {
    clearInterval(renewal);
    await source.close();
  }
}

interface Fetched {
  readonly worker: Worker;
  readonly job: Job;
  readonly ticket: Ticket;
}

interface Source {
  fetchNext(): Promise<Fetched | undefined>;
  /** It is worked off, and the next one of its queue is fetched in the same step; none where other queues have their turn. */
  exchange(done: Fetched): Promise<Fetched | undefined>;
  close(): Promise<void>;
}

/** Where tickets come from: the queues that a machine has the labels for. */
function createSource(serving: Serving): Source {
  const { machine, token, onError, signal } = serving;
  const workers = new Map<string, Worker>();
  let [own, knownAt]: [readonly string[], number] = [[], Number.NEGATIVE_INFINITY];
  const kindsNow = async () => {
    if (performance.now() - knownAt < KINDS_MS) return own;
    own = (await serving.kinds()).filter((each) => hasLabels(machine.labels, needsOf(each)));
    knownAt = performance.now();
    return own;
  };
  return {
    async fetchNext() {
      try {
        for (const kind of await kindsNow()) {
          if (signal.aborted) return undefined;
          const worker = workers.get(kind) ?? openWorker(kind, serving);
          workers.set(kind, worker);
          const job = await worker.getNextJob(token, { block: false });
          const fetched = job === undefined ? undefined : fetchedOf(worker, job);
          if (fetched !== undefined) return fetched;
        }
      } catch (error) {
        onError(messageOf(error));
      }
      return undefined;
    },
    async exchange({ worker, job }) {
      const fetchesNext = own.length === 1 && !signal.aborted;
      // Where its lock was lost, or the engine forgot it, there is nothing to forget.
      const next = await orWhenStopped(
        job.moveToCompleted(null, token, fetchesNext).catch(() => undefined),
        signal,
      );
      const [data, id] = Array.isArray(next) ? next : [];
      return typeof data === 'object' && typeof id === 'string'
        ? fetchedOf(worker, Job.fromJSON(worker, data, id))
        : undefined;
    },
    async close() {
      await Promise.allSettled([...workers.values()].map((worker) => worker.close(true)));
    },
  };
}

function fetchedOf(worker: Worker, job: Job): Fetched | undefined {
  const ticket = ticketOf(job.data, needsOf(worker.name));
  return ticket === undefined ? undefined : { worker, job, ticket };
}

function openWorker(kind: string, { connection, prefix, lockMs, onError }: Serving): Worker {
  const worker = new Worker(kind, null, {
    connection,
    prefix,
    autorun: false,
    lockDuration: lockMs,
    stalledInterval: Math.ceil(lockMs / 3),
    maxStalledCount: MAX_STALLS,
    limiter: NO_LIMIT,
    skipVersionCheck: true,
  });
  worker.on('error', (error) => onError(error.message));
  void worker.startStalledCheckTimer().catch((error: Error) => onError(error.message));
  return worker;
}

function ticketOf(data: unknown, needs: readonly string[]): Ticket | undefined {
  if (typeof data !== 'object' || data === null || !('task' in data) || typeof data.task !== 'string') return undefined;
  const priority = 'priority' in data && typeof data.priority === 'number' ? data.priority : 0;
  return { task: data.task, needs, priority };
}

interface Turn {
  readonly held: Set<Job>;
  readonly source: Source;
  readonly serving: Serving;
}

/** One ticket after another, as long as the next one comes with the end of the last. */
async function workInTurn(first: Fetched, { held, source, serving }: Turn): Promise<void> {
  for (let next: Fetched | undefined = first; next !== undefined; ) {
    const { job, ticket } = next;
    held.add(job);
    try {
      await serving.work(ticket);
    } finally {
      held.delete(job);
      next = await source.exchange(next);
      serving.onWorkedOff(ticket);
    }
  }
}

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
