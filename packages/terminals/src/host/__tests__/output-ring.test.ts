import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createOutputRing } from '../output-ring.js';

it('a ring has the last bytes at their offsets, for any appends and reads', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 200_000 }),
      fc.array(fc.integer({ min: 0, max: 90_000 }), { maxLength: 12 }),
      fc.array(fc.nat(600_000), { maxLength: 5 }),
      (limit, sizes, froms) => {
        const ring = createOutputRing(limit);
        let all = Buffer.alloc(0);
        for (const size of sizes) {
          const bytes = Buffer.alloc(size, all.length % 251);
          ring.append(bytes);
          all = Buffer.concat([all, bytes]);
        }
        expect(ring.end).toBe(all.length);
        expect(ring.end - ring.start).toBeGreaterThanOrEqual(Math.min(limit, all.length));
        expect(ring.end - ring.start).toBeLessThanOrEqual(limit + (64 << 10));
        for (const from of froms.filter((offset) => offset <= all.length)) {
          const begin = Math.max(from, ring.start);
          let got = Buffer.alloc(0);
          for (let at = begin; at < ring.end; at = begin + got.length)
            got = Buffer.concat([got, ring.lend(at, 7_000).bytes]);
          expect(got.equals(all.subarray(begin))).toBe(true);
        }
      },
    ),
    { numRuns: 60 },
  );
});

it('a borrowed block does not change until it is given back, however much is appended', () => {
  const ring = createOutputRing(128 << 10);
  ring.append(Buffer.alloc(300 << 10, 'a'));
  const loan = ring.lend(ring.start, 100);
  const lentAt = ring.start;
  ring.append(Buffer.alloc(2 << 20, 'b'));
  expect(loan.bytes.toString()).toBe('a'.repeat(100));
  expect(ring.start).toBeGreaterThan(lentAt);
  loan.giveBack();
  ring.append(Buffer.alloc(2 << 20, 'c'));
  const last = ring.lend(ring.end - 10, 100);
  expect(last.bytes.toString()).toBe('c'.repeat(10));
  last.giveBack();
  expect(ring.lend(ring.end, 100).bytes.length).toBe(0);
});
