import { expect, it } from 'vitest';
import { retryBusy } from '../retry-busy.js';

const BUSY = 5;

it('[S4] waits between two attempts without blocking the event loop', async () => {
  let turns = 0;
  let next = setImmediate(function turn() {
    turns++;
    next = setImmediate(turn);
  });
  const turnsAtTry: number[] = [];

  const result = await retryBusy(() => {
    turnsAtTry.push(turns);
    if (turnsAtTry.length < 4) throw Object.assign(new Error('database is locked'), { rawCode: BUSY });
    return 'stored';
  });
  clearImmediate(next);

  expect(result).toBe('stored');
  expect(turnsAtTry).toHaveLength(4);
  for (const [index, seen] of turnsAtTry.slice(1).entries()) expect(seen).toBeGreaterThan(turnsAtTry[index] ?? 0);
});
