import { randomUUID } from 'node:crypto';
import { openStore } from '@devs/core';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { openRedisBackend } from '../create-redis-backend.js';
import { useScratchRedis } from './scratch-redis.js';

const redis = useScratchRedis();
const note = { type: 'note.written', data: { text: 'x' } };
const REPLACED = { code: 'STORE_REPLACED', message: expect.stringMatching(/was emptied .* or replaced.*Restore/) };

async function open(expectedId?: string) {
  const backend = await openRedisBackend({ url: redis().url, ...(expectedId !== undefined && { expectedId }) });
  onTestFinished(() => backend.close());
  return openStore({ backend, clock: { now: Date.now }, newId: randomUUID });
}

describe('a Redis that lost everything', () => {
  beforeEach(async () => void (await redis().command('FLUSHALL')));

  it('takes no commit, no lease and no renewal from those who knew the store', async () => {
    const store = await open();
    await store.log.append('run:a', 0, [note]);
    await store.tasks.add([{ id: 'a', intent: 'do it' }]);
    const claim = await store.tasks.claim({ by: 'anna', leaseMs: 60_000 });
    const lease = await store.leases.acquire({ name: 'run:a', by: 'anna', leaseMs: 60_000 });
    if (claim.status !== 'claimed' || lease.status !== 'acquired') throw new Error('not held');
    await redis().command('FLUSHALL');

    await expect(store.log.append('run:a', 1, [note])).rejects.toMatchObject(REPLACED);
    await expect(store.log.append('run:b', 0, [note, note])).rejects.toMatchObject(REPLACED);
    await expect(store.tasks.add([{ id: 'b', intent: 'do it' }])).rejects.toMatchObject(REPLACED);
    await expect(store.tasks.heartbeat({ id: 'a', fence: claim.fence, leaseMs: 9 })).rejects.toMatchObject(REPLACED);
    await expect(store.leases.acquire({ name: 'run:b', by: 'anna', leaseMs: 9 })).rejects.toMatchObject(REPLACED);
    expect(await redis().command('KEYS', '*')).toEqual([]);
  });

  it('is reported to the holder of a lease that was not taken by anyone else', async () => {
    const store = await open();
    const lease = await store.leases.acquire({ name: 'run:a', by: 'anna', leaseMs: 60_000 });
    if (lease.status !== 'acquired') throw new Error('not held');
    await redis().command('FLUSHALL');
    await expect(store.leases.renew({ ...lease.lease, leaseMs: 9 })).rejects.toMatchObject(REPLACED);
  });

  it('is said to a follower, who would wait for ever', async () => {
    const store = await open();
    await store.log.append('run:a', 0, [note]);
    const stop = new AbortController();
    const events = store.log.follow({ signal: stop.signal })[Symbol.asyncIterator]();
    await events.next();
    const next = events.next();
    await redis().command('FLUSHALL');
    await expect(next).rejects.toMatchObject(REPLACED);
  });

  it('is refused when another store is expected, and opened as new when none is expected', async () => {
    const id = await (await open()).id();
    expect(await (await open(id)).id()).toBe(id);
    await redis().command('FLUSHALL');
    await expect(open(id)).rejects.toMatchObject(REPLACED);
    expect(await redis().command('KEYS', '*')).toEqual([]);
    const anew = await (await open()).id();
    expect(anew).not.toBe(id);
    await expect(open(id)).rejects.toMatchObject(REPLACED);
  });
});
