import { randomUUID } from 'node:crypto';
import { openStore } from '@devs/core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openRedisBackend } from '../create-redis-backend.js';
import { useScratchRedis } from './scratch-redis.js';

const redis = useScratchRedis();
const HOUR = 3_600_000;
const MINUTE = 60_000;

/** A machine whose clock is this far from the server's. */
async function machine(offsetMs: number) {
  const backend = await openRedisBackend({ url: redis().url });
  onTestFinished(() => backend.close());
  return openStore({ backend, clock: { now: () => Date.now() + offsetMs }, newId: randomUUID });
}

describe('[F3] machines whose clocks differ', () => {
  it.each([HOUR, -HOUR])('see the same lease, and none of them takes it while it lives: %i ms', async (offset) => {
    const name = `run:a${offset > 0 ? 'head' : 'back'}`;
    const [here, there] = [await machine(0), await machine(offset)];
    const held = await here.leases.acquire({ name, by: 'anna', leaseMs: MINUTE });
    expect(held.status).toBe('acquired');
    expect(await there.leases.acquire({ name, by: 'bob', leaseMs: MINUTE })).toMatchObject({
      status: 'held',
      by: 'anna',
    });
    expect(await there.leases.get(name)).toEqual(await here.leases.get(name));
  });

  it('hold a lease for as long as they ask, and no longer', async () => {
    const [here, there] = [await machine(0), await machine(HOUR)];
    await there.leases.acquire({ name: 'run:b', by: 'bob', leaseMs: 50 });
    await expect.poll(() => here.leases.get('run:b')).toBeUndefined();
  });

  it('give back no task that is being worked on', async () => {
    const [here, there] = [await machine(0), await machine(HOUR)];
    await here.tasks.add([{ id: 'a', intent: 'do it' }]);
    const claim = await here.tasks.claim({ by: 'anna', leaseMs: MINUTE });
    if (claim.status !== 'claimed') throw new Error('not claimed');
    expect(await there.tasks.expire()).toEqual([]);
    expect(await there.tasks.claim({ by: 'bob', leaseMs: MINUTE })).toEqual({ status: 'nothing-to-do' });
    expect(await here.tasks.heartbeat({ id: 'a', fence: claim.fence, leaseMs: MINUTE })).toBe('renewed');
    expect(await there.tasks.expire()).toEqual([]);
  });
});
