import { describe, expect, it } from 'vitest';
import { endAfter, planReading } from '../plan-reading.js';

const MB = 1 << 20;

describe('planning what to read while the agent waits', () => {
  it.each([
    { bytes: 4 * MB, unreadBytes: 120_000, elapsedMs: 90, plan: { kind: 'in-time' } },
    { bytes: 4 * MB, unreadBytes: 4 * MB, elapsedMs: 400, plan: { kind: 'in-time' } },
    { bytes: 50 * MB, unreadBytes: 50 * MB, elapsedMs: 90, plan: { kind: 'end', lastBytes: MB } },
    { bytes: 4 * MB, unreadBytes: 120_000, elapsedMs: 900, plan: { kind: 'end', lastBytes: MB / 8 } },
    { bytes: 50 * MB, unreadBytes: 50 * MB, elapsedMs: 900, plan: { kind: 'end', lastBytes: MB / 8 } },
    { bytes: 10_000, unreadBytes: 10_000, elapsedMs: 60_000, plan: { kind: 'whole' } },
  ])('with $unreadBytes of $bytes bytes unread after $elapsedMs ms: $plan', ({ plan, ...soFar }) => {
    expect(planReading({ isWaitedFor: true, ...soFar })).toEqual(plan);
  });

  it('reads everything where the agent does not wait, as long as that may take', () => {
    const plan = planReading({ isWaitedFor: false, bytes: 50 * MB, unreadBytes: 50 * MB, elapsedMs: 900 });
    expect(plan).toEqual({ kind: 'in-time' });
  });

  it('takes less of the end, the later reading everything was given up', () => {
    expect(endAfter(1_500)).toBeLessThan(endAfter(720));
  });
});
