import { expect, it } from 'vitest';
import { createIsGone, holderName } from '../lease-holders.js';

const isGone = createIsGone({ hostName: 'box', isAlive: (pid) => pid === 7 });

it.each<[boolean, string, string]>([
  [true, 'a process of this machine that has ended', holderName('anna', 'box', 8)],
  [false, 'a process of this machine', holderName('anna', 'box', 7)],
  [false, 'a process of another machine', holderName('anna', 'attic', 8)],
  [false, 'a machine whose name ends like ours', holderName('anna', 'sand-box', 8)],
  [true, 'a user with an address for a name', holderName('anna@example.org', 'box', 8)],
  [false, 'somebody without a number', 'anna@box'],
  [false, 'an agent that calls itself as it likes', 'builtin'],
])('%s for %s', (expected, _who, by) => {
  expect(isGone(by)).toBe(expected);
});
