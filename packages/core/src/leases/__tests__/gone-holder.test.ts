import { describe, expect, it } from 'vitest';
import { openStore } from '../../event-log/open-store.js';
import { createMemoryBackend } from '../../testing/memory-backend.js';

const HOUR = 3_600_000;
const NAME = 'run:abc';

function createWorld() {
  const gone = new Set<string>();
  const clock = { time: 5 * HOUR, now: () => clock.time };
  let ids = 0;
  const { leases } = openStore({
    backend: createMemoryBackend(),
    clock,
    newId: () => String(++ids),
    isGone: (by) => gone.has(by),
  });
  return { leases, gone, clock };
}

describe('a lease whose holder has ended', () => {
  it('is free at once, also by a clock that was set back', async () => {
    const { leases, gone, clock } = createWorld();
    const bob = { name: NAME, by: 'bob', leaseMs: 30_000 };
    await leases.acquire({ name: NAME, by: 'anna', leaseMs: 30_000 });
    clock.time -= HOUR;
    expect(await leases.acquire(bob)).toMatchObject({ status: 'held', by: 'anna' });
    gone.add('anna');
    expect(await leases.get(NAME)).toBeUndefined();
    expect(await leases.acquire(bob)).toMatchObject({ status: 'acquired', lease: { by: 'bob', fence: 2 } });
  });

  it('cannot be renewed once another has taken it', async () => {
    const { leases, gone } = createWorld();
    await leases.acquire({ name: NAME, by: 'anna', leaseMs: HOUR });
    gone.add('anna');
    await leases.acquire({ name: NAME, by: 'bob', leaseMs: HOUR });
    expect(await leases.renew({ name: NAME, fence: 1, leaseMs: HOUR })).toBe(false);
    expect(await leases.get(NAME)).toMatchObject({ by: 'bob' });
  });
});
