import { StoreUnavailableError } from '@devs/core';
import { describe, expect, it } from 'vitest';
import { keepLeases } from '../keep-leases.js';

describe('a lease that cannot be kept', () => {
  it('is lost with the reason, down to what the machine said', async () => {
    let now = 0;
    const lost: string[] = [];
    const full = new StoreUnavailableError('the store could not be written', {
      cause: new Error('database or disk is full'),
    });
    const kept = keepLeases({
      leases: { renew: () => Promise.reject(full), release: async () => true } as never,
      tasks: {} as never,
      lease: { name: 'run:a', by: 'test', fence: 1, until: 10 },
      task: undefined,
      leaseMs: 1_000_000,
      clock: { now: () => now },
      onLost: (why) => lost.push(why),
      onTaskLost() {},
    });
    now = 5;
    expect(await kept.isOurs()).toBe(true); // its term has not run out
    now = 11;
    expect(await kept.isOurs()).toBe(false);
    expect(lost).toEqual([
      'the store could not be reached to keep it: the store could not be written: database or disk is full',
    ]);
  });
});
