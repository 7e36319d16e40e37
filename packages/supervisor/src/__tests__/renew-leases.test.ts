import { StoreReplacedError, StoreUnavailableError } from '@devs/core';
import { describe, expect, it } from 'vitest';
import { renewLeases } from '../renew-leases.js';

function keepFailing(failure: Error) {
  const clock = { time: 0, now: () => clock.time };
  const lost: string[] = [];
  const kept = renewLeases({
    leases: { renew: () => Promise.reject(failure), release: async () => true } as never,
    tasks: {} as never,
    lease: { name: 'run:a', by: 'test', fence: 1, until: 10 },
    task: undefined,
    leaseMs: 3_000,
    clock,
    onLost: (why) => lost.push(why),
    onTaskLost() {},
  });
  return { kept, clock, lost };
}

describe('a lease that cannot be kept', () => {
  it('is lost with the reason, down to what the machine said', async () => {
    const { kept, clock, lost } = keepFailing(
      new StoreUnavailableError('the store could not be written', { cause: new Error('database or disk is full') }),
    );
    clock.time = 5;
    expect(await kept.isOurs()).toBe(true); // its term has not run out
    clock.time = 11;
    expect(await kept.isOurs()).toBe(false);
    expect(lost).toEqual([
      'the store could not be reached to keep it: the store could not be written: database or disk is full',
    ]);
  });

  it('is lost before its end where its store was emptied or replaced', async () => {
    const { lost } = keepFailing(new StoreReplacedError('the store was emptied'));
    await expect.poll(() => lost).toEqual(['its records are gone, so the work is paused: the store was emptied']);
  });
});
