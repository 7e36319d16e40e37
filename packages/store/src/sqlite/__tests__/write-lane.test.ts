import { describe, expect, it } from 'vitest';
import { createWriteLane } from '../write-lane.js';

const busy = () => Object.assign(new Error('database is locked'), { rawCode: 5 });

/** A file that is busy at first and counts its transactions. An error in a transaction undoes all of it. */
function openBusyFile(busyTimes: number) {
  let left = busyTimes;
  let stored: readonly string[] = [];
  const transactions: (readonly string[])[] = [];
  const file = {
    isFree: () => left <= 0,
    write(text: string) {
      if (left > 0) throw busy();
      stored = [...stored, text];
      return stored.length;
    },
    transaction<T>(work: () => T): T {
      left -= 1;
      if (left > 0) throw busy();
      const before = stored;
      try {
        const result = work();
        transactions.push(stored.slice(before.length));
        return result;
      } catch (error) {
        stored = before;
        throw error;
      }
    },
  };
  return { file, transactions, stored: () => stored };
}

describe('those who write to a busy file', () => {
  it('share the transaction that succeeds, in the order in which they came', async () => {
    const { file, transactions } = openBusyFile(3);
    const inLane = createWriteLane(file);
    const results = ['a', 'b', 'c'].map((text) => inLane(() => file.write(text)));
    expect(await Promise.all(results)).toEqual([1, 2, 3]);
    expect(transactions).toEqual([['a', 'b', 'c']]);
  });

  it('do not fail with another: work that was rolled back with it is repeated', async () => {
    const { file, stored } = openBusyFile(2);
    const inLane = createWriteLane(file);
    const refuse = () => {
      throw new Error('no');
    };
    const results = await Promise.allSettled([
      inLane(() => file.write('a')),
      inLane(() => (file.isFree() ? refuse() : file.write('b'))),
      inLane(() => file.write('c')),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(stored()).toEqual(['a', 'c']);
  });

  it('leave the next a file that is free', async () => {
    const { file, transactions } = openBusyFile(2);
    const inLane = createWriteLane(file);
    await inLane(() => file.write('a'));
    expect(await inLane(() => file.write('b'))).toBe(2);
    expect(transactions).toEqual([['a']]); // the second needed none of the lane's
  });
});
