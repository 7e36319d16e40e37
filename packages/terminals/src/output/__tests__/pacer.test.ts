import { expect, it } from 'vitest';
import { createPacer } from '../pacer.js';

/** When each part is sent of those that come at these times. */
function sentAt(pacer: ReturnType<typeof createPacer>, comes: readonly number[]): readonly number[] {
  let last = 0;
  return comes.map((at) => {
    const now = Math.max(at, last);
    last = now + pacer.waitMs(now);
    pacer.sent(last);
    return last;
  });
}

it('sends at once what comes now and then, also in a few pieces', () => {
  const comes = [0, 1, 2, 100, 101, 102, 200, 201];

  expect(sentAt(createPacer({ burst: 3, everyMs: () => 16 }), comes)).toEqual(comes);
});

it('sends a stream at its pace', () => {
  const comes = Array.from({ length: 8 }, (_, index) => index);

  expect(sentAt(createPacer({ burst: 3, everyMs: () => 16 }), comes)).toEqual([0, 1, 2, 16, 32, 48, 64, 80]);
});
