import { expect, it } from 'vitest';
import { freshnessOf } from '../freshness.js';

it.each([
  [{ isConnected: false, isCaughtUp: false }, { kind: 'connecting' }],
  [{ isConnected: true, isCaughtUp: false, confirmedAt: 900 }, { kind: 'connecting' }],
  [
    { isConnected: true, isCaughtUp: true, confirmedAt: 900 },
    { kind: 'live', ageMs: 100 },
  ],
  [
    { isConnected: true, isCaughtUp: true, confirmedAt: -30_000 },
    { kind: 'stale', ageMs: 31_000 },
  ],
  [
    { isConnected: false, isCaughtUp: true, confirmedAt: 400 },
    { kind: 'lost', ageMs: 600 },
  ],
])('says how fresh the page is: %j', (hearing, freshness) => {
  expect(freshnessOf(hearing, 1_000)).toEqual(freshness);
});
