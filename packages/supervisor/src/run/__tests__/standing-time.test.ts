import { describe, expect, it } from 'vitest';
import { createStandingTime } from '../observe-run.js';

const HOUR = 3_600_000;

describe('how long an agent has stood', () => {
  it('is counted from when it began, and over again when it becomes something else', () => {
    const standing = createStandingTime(5_000);
    expect(standing.look('idle', 1_000, 3_000)).toBe(2_000);
    expect(standing.look('idle', 1_000, 7_000)).toBe(6_000);
    expect(standing.look('busy', 7_500, 8_000)).toBe(500);
  });

  it('is not longer by an hour that the machine slept, nor shorter by a clock that was set back', () => {
    const standing = createStandingTime(5_000);
    standing.look('starting', 1_000, 2_000);
    expect(standing.look('starting', 1_000, 2_000 + HOUR)).toBe(6_000);
    expect(standing.look('starting', 1_000, 2_500)).toBe(6_000);
    expect(standing.look('starting', 1_000, 3_500)).toBe(7_000);
    expect(createStandingTime(5_000).look('starting', 0, HOUR)).toBe(5_000);
  });
});
