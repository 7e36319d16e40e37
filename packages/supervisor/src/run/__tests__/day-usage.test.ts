import { openStore, runEventOf, runStream, type Store } from '@devs/core';
import { createManualClock, createMemoryBackend, createMemoryDisk } from '@devs/core/testing';
import { describe, expect, it } from 'vitest';
import { createDayUsage } from '../day-usage.js';

const NOON = new Date(2026, 10, 18, 12).getTime();
const DAY_MS = 24 * 3_600_000;

function open(): { readonly store: Store; readonly clock: ReturnType<typeof createManualClock> } {
  const clock = createManualClock(NOON);
  let ids = 0;
  const backend = createMemoryBackend(createMemoryDisk());
  return { store: openStore({ backend, clock, newId: () => `${++ids}` }), clock };
}

const used = (inputTokens: number) =>
  runEventOf({ type: 'usage.counted', turns: 1, inputTokens, cachedTokens: 0, outputTokens: 0, upTo: 'now' });

describe('what all runs used today', () => {
  it('is counted on from where the last reader came to', async () => {
    const { store, clock } = open();
    for (let version = 0; version < 600; version++) await store.log.append(runStream('a'), version, [used(1)]);
    const first = await createDayUsage(store.log, store.snapshots).read(clock.now());
    expect(first.inputTokens).toBe(600);
    await store.log.append(runStream('a'), 600, [used(5)]);
    const reads: number[] = [];
    const log: Pick<Store['log'], 'read'> = {
      read(query) {
        reads.push(query?.after ?? 0);
        return store.log.read(query);
      },
    };
    const later = createDayUsage(log, store.snapshots);
    expect((await later.read(clock.now())).inputTokens).toBe(605);
    expect(reads).toEqual([600]);
  });

  it('begins with nothing on the next day, also where the last reader stopped the day before', async () => {
    const { store, clock } = open();
    for (let version = 0; version < 600; version++) await store.log.append(runStream('a'), version, [used(1)]);
    await createDayUsage(store.log, store.snapshots).read(clock.now());
    clock.advance(DAY_MS);
    await store.log.append(runStream('a'), 600, [used(7)]);
    expect((await createDayUsage(store.log, store.snapshots).read(clock.now())).inputTokens).toBe(7);
  });
});
