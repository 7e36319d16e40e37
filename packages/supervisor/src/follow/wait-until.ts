import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '@devs/core';

export interface Patience {
  readonly clock: Clock;
  readonly pollMs: number;
  /** Aborted when the terminal is let go: whoever waits stops where he is, and the record says where that was. */
  readonly signal: AbortSignal;
}

/** Whether it came true before the deadline, by the clock. Rejects when the terminal is let go. */
export async function waitUntil(
  isTrue: () => boolean | Promise<boolean>,
  deadline: number,
  { clock, pollMs, signal }: Patience,
): Promise<boolean> {
  for (;;) {
    signal.throwIfAborted();
    if (await isTrue()) return true;
    if (clock.now() >= deadline) return false;
    await pause(pollMs, undefined, { signal });
  }
}
