import { patienceEnds, retryBusy } from './retry-busy.js';
import { isBusy } from './store-failure.js';

/**
 * Lets those who write to a busy file wait in the order in which they came: a later append would else be stored first, and the
 * earlier one be refused for it. Where nobody waits the work is done at once.
 */
export function createWriteLane(): <T>(work: () => T) => Promise<T> {
  let last: Promise<unknown> | undefined;

  return async <T>(work: () => T): Promise<T> => {
    if (last === undefined) {
      try {
        return work();
      } catch (error) {
        if (!isBusy(error)) throw error;
      }
    }
    const deadline = patienceEnds();
    const before = last;
    const done = (async () => {
      await before?.catch(() => {}); // its caller hears of it
      return retryBusy(work, deadline);
    })();
    last = done;
    try {
      return await done;
    } finally {
      if (last === done) last = undefined;
    }
  };
}
