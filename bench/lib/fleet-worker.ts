// A machine of the fleet, or a bare BullMQ worker: `fleet-worker.js ours|bare URL`. Works until it is told to stop, and says how
// much of the processor it took.
import { randomUUID } from 'node:crypto';
import { openStore } from '@devs/core';
import { openBullDispatcher } from '@devs/fleet';
import { openRedisBackend } from '@devs/store';
import { serveTickets } from '@devs/supervisor';
import { Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { BARE_PREFIX, SLOTS } from './fleet-tasks.js';

const [kind = 'ours', url = ''] = process.argv.slice(2);
const over = new AbortController();
const told = new Promise<void>((resolve) => {
  process.on('message', (word) => {
    if (word === 'go') void work().then(resolve, fail);
    if (word === 'stop') over.abort();
  });
});
const serveNow = await (kind === 'ours' ? openOurs() : openBare());
process.send?.('ready');
await told;
process.exit(0);

async function work(): Promise<void> {
  const before = process.cpuUsage();
  await serveNow();
  const { user, system } = process.cpuUsage(before);
  process.send?.({ cpuMs: (user + system) / 1_000 });
  process.disconnect();
}

async function openOurs(): Promise<() => Promise<void>> {
  const store = openStore({ backend: await openRedisBackend({ url }), clock: { now: Date.now }, newId: randomUUID });
  const dispatcher = await openBullDispatcher({ url });
  const by = `bench-${process.pid}`;
  return async () => {
    await serveTickets({
      store,
      dispatcher,
      by,
      machine: by,
      labels: [],
      parallel: SLOTS,
      over: over.signal,
      async carryOut(next) {
        const { id, fence } = next.task;
        await store.tasks.complete({ id, fence });
        return { status: 'finished', outcome: 'done', detail: '' };
      },
    });
    await dispatcher.close();
    await store.close();
  };
}

/** The same writes, at once and without looking at anything. */
async function openBare(): Promise<() => Promise<void>> {
  const connection = new Redis(url, { maxRetriesPerRequest: null });
  const writes = new Redis(url);
  const stopped = new Promise<void>((resolve) => over.signal.addEventListener('abort', () => resolve()));
  return async () => {
    const worker = new Worker(
      'tasks',
      async ({ data }) => {
        const { id, record } = data as { readonly id: string; readonly record: string };
        const event = (type: string) =>
          JSON.stringify({ stream: `task:${id}`, version: 2, at: Date.now(), type, data: { by: 'bench' } });
        const claimed = event('task.started');
        await writes
          .multi()
          .xadd('b:log', '*', 'event', claimed)
          .xadd(`b:stream:task:${id}`, '*', '', randomUUID())
          .hset('b:tasks', id, record)
          .zadd('b:leases', Date.now(), id)
          .hset('b:fences', id, 1)
          .zrem('b:ready', id)
          .zadd('b:status:in_progress', 1, id)
          .exec();
        await writes
          .multi()
          .xadd('b:log', '*', 'event', event('task.completed'))
          .xadd(`b:stream:task:${id}`, '*', '', randomUUID())
          .hset('b:tasks', id, record)
          .zrem('b:leases', id)
          .hdel('b:fences', id)
          .zrem('b:status:in_progress', id)
          .zadd('b:status:done', 1, id)
          .exec();
        await writes.incr('b:done');
      },
      {
        connection,
        prefix: BARE_PREFIX,
        concurrency: SLOTS,
        removeOnComplete: { count: 0 },
        removeOnFail: { count: 0 },
      },
    );
    await stopped;
    await worker.close();
    writes.disconnect();
    connection.disconnect();
  };
}

function fail(error: unknown): never {
  console.error(error);
  process.exit(1);
}
