import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '@devs/core';

export interface Patience {
  readonly clock: Clock;
  readonly pollMs: number;
  /** Aborted when the terminal is released: waiting stops at once, and the record says where. */
  readonly signal: AbortSignal;
}

/**
 * Whether it came true before the deadline, by the clock. Time that the machine slept does not count: the awaited
 * process slept too. Rejects when the terminal is released.
 */
export async function waitUntil(
  isTrue: () => boolean | Promise<boolean>,
  deadline: number,
  { clock, pollMs, signal }: Patience,
): Promise<boolean> {
  let before = clock.now();
  let left = deadline - before;
  for (;;) {
    signal.throwIfAborted();
    if (await isTrue()) return true;
    const now = clock.now();
    left -= Math.min(Math.max(0, now - before), MAX_LOOK_MS);
    before = now;
    if (left <= 0) return false;
    await pause(pollMs, undefined, { signal });
  }
}

/** More than a busy machine takes from one look to the next. */
const MAX_LOOK_MS = 10_000;
