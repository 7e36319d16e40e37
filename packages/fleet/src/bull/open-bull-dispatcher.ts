import { randomUUID } from 'node:crypto';
import type { Dispatcher } from '@devs/core';
import { parseRedisUrl } from '@devs/store';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { kindOf } from './kinds.js';
import { serveQueues } from './serve-queues.js';

export interface BullOptions {
  /** Of the store, whose prefix its keys get. */
  readonly url: string;
  /** Told of trouble with the server, which is waited for. Must not throw. */
  onError?(message: string): void;
  /** After so long without renewal a ticket of a lost machine is handed out again. Default: 30 s. */
  readonly lockMs?: number;
}

const LOCK_MS = 30_000;
/** So long a ticket is taken for known to the engine; then it is issued again, in case the engine forgot it. */
const KNOWN_MS = 20_000;
const MAX_AT_ONCE = 500;

/**
 * Tickets as jobs of BullMQ, one queue for each set of needs, on the Redis of the store. A job holds a task id and
 * nothing else: no retries, no flows, no results. A lost lock is ignored, since the claim of the task decides.
 */
export function openBullDispatcher({ url, onError = () => {}, lockMs = LOCK_MS }: BullOptions): Dispatcher {
  const address = parseRedisUrl(url);
  const connection = connect(address);
  connection.on('error', (error) => onError(error.message));
  const prefix = `${address.keyPrefix}fleet`;
  const kindsKey = `${prefix}:kinds`;
  const queues = new Map<string, Queue>();
  const issuedAt = new Map<string, number>();
  const queueOf = (kind: string): Queue => {
    const known = queues.get(kind);
    if (known !== undefined) return known;
    const queue = new Queue(kind, {
      connection,
      prefix,
      skipVersionCheck: true,
      skipMetasUpdate: true,
      streams: { events: { maxLen: 0 } },
    });
    queue.on('error', (error) => onError(error.message));
    queues.set(kind, queue);
    return queue;
  };

  return {
    async issue(tickets) {
      const now = performance.now();
      for (const [task, at] of issuedAt) if (now - at >= KNOWN_MS) issuedAt.delete(task);
      const fresh = tickets.filter(({ task }) => !issuedAt.has(task));
      const kinds = [...new Set(fresh.map(({ needs }) => kindOf(needs)))];
      if (kinds.length > 0) await connection.sadd(kindsKey, ...kinds);
      for (const kind of kinds) {
        const all = fresh.filter(({ needs }) => kindOf(needs) === kind);
        for (let from = 0; from < all.length; from += MAX_AT_ONCE)
          await queueOf(kind).addBulk(all.slice(from, from + MAX_AT_ONCE).map(jobOf));
      }
      for (const { task } of fresh) issuedAt.set(task, now);
    },
    serve: (machine, work, signal) =>
      serveQueues({
        connection,
        prefix,
        machine,
        token: `${machine.name}-${randomUUID()}`,
        lockMs,
        kinds: () => connection.smembers(kindsKey),
        work,
        onWorkedOff: ({ task }) => void issuedAt.delete(task),
        signal,
        onError,
      }),
    async hold(needs, ms) {
      await queueOf(kindOf(needs)).rateLimit(ms);
    },
    async close() {
      await Promise.allSettled([...queues.values()].map((queue) => queue.close()));
      connection.disconnect();
    },
  };
}

const connect = ({ host, port, db, username, password, isTls }: ReturnType<typeof parseRedisUrl>): Redis =>
  new Redis({
    host,
    port,
    db,
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    ...(isTls ? { tls: {} } : {}),
    maxRetriesPerRequest: null, // BullMQ waits for a server that has gone away
    disableClientInfo: true,
  });

/** BullMQ serves lower numbers first, from 1. */
const MIDDLE_PRIORITY = 1_001;

const jobOf = ({ task, priority }: { readonly task: string; readonly priority: number }) => ({
  name: 'task',
  data: { task, priority },
  opts: {
    jobId: `task-${task}`,
    priority: MIDDLE_PRIORITY - priority,
    attempts: 1,
    removeOnComplete: true,
    removeOnFail: true,
  },
});
