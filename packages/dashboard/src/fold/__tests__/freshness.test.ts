import { expect, it } from 'vitest';
import { freshnessOf } from '../freshness.js';

it.each([
  [{ isConnected: false, isCaughtUp: false }, { kind: 'connecting' }],
  [{ isConnected: true, isCaughtUp: false, heardAt: 900 }, { kind: 'connecting' }],
  [
    { isConnected: true, isCaughtUp: true, heardAt: 900 },
    { kind: 'live', ageMs: 100 },
  ],
  [
    { isConnected: true, isCaughtUp: true, heardAt: -30_000 },
    { kind: 'stale', ageMs: 31_000 },
  ],
  [
    { isConnected: false, isCaughtUp: true, heardAt: 400 },
    { kind: 'lost', ageMs: 600 },
  ],
])('says how fresh the page is: %j', (hearing, freshness) => {
  expect(freshnessOf(hearing, 1_000)).toEqual(freshness);
});
