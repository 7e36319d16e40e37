import type { Clock } from '../ports/clock.js';

/** Time that passes only when a test says so. */
export function createManualClock(startMs = Date.UTC(2026, 0, 1)): Clock & { advance(ms: number): void } {
  let now = startMs;
  return {
    now: () => now,
    advance: (ms) => {
      now += ms;
    },
  };
}
