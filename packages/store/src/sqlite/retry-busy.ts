import { setTimeout as pause } from 'node:timers/promises';
import { isBusy } from './store-failure.js';

/** As long as others may hold the file: far more than a commit, less than the term of a supervisor's lease. */
const PATIENCE_MS = 40_000;
const MAX_PAUSE_MS = 8;
const MAX_EAGER_PAUSE_MS = 2;

/** When who asks now has waited long enough. */
export const patienceEnds = () => performance.now() + PATIENCE_MS;

/** Repeats `work` while another process is writing, without blocking the event loop. */
export async function retryBusy<T>(work: () => T): Promise<T> {
  const deadline = patienceEnds();
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
    }
    await pauseBetweenTries();
  }
}

/** The same for opening, which is not asynchronous. */
export function retryBusySync<T>(work: () => T): T {
  const deadline = patienceEnds();
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
    }
    sleepSync(pauseMs());
  }
}

export function sleepSync(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

export const pauseBetweenTries = ({ isEager } = { isEager: false }): Promise<void> =>
  pause(pauseMs(isEager ? MAX_EAGER_PAUSE_MS : MAX_PAUSE_MS));

/** Random, so that two who wait do not come back together each time. */
const pauseMs = (longest = MAX_PAUSE_MS) => 1 + Math.random() * longest;
