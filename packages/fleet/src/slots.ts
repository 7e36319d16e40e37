import { setTimeout as pause } from 'node:timers/promises';

/** Pieces of work at the same time, up to a number. */
interface Slots {
  readonly isFull: boolean;
  /** Takes a slot until the work ends. The work must not reject. */
  fill(work: () => Promise<void>): void;
  /** Until a slot is free, the time has passed, or the signal; the first of these. */
  change(ms: number, signal: AbortSignal): Promise<void>;
  /** Until all work has ended. */
  empty(): Promise<void>;
}

export function createSlots(count: number): Slots {
  const running = new Set<Promise<void>>();
  return {
    get isFull() {
      return running.size >= Math.max(1, count);
    },
    fill(work) {
      const job = work().finally(() => running.delete(job));
      running.add(job);
    },
    async change(ms, signal) {
      const over = new AbortController();
      const called = AbortSignal.any([signal, over.signal]);
      await Promise.race([pause(ms, undefined, { signal: called }).catch(() => {}), ...running]);
      over.abort();
    },
    async empty() {
      while (running.size > 0) await Promise.race(running);
    },
  };
}
