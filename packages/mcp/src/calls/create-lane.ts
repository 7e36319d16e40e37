import { createSerialQueue } from '@devs/core';

/** Jobs run one after another, and it can be waited for that none is left. */
export interface Lane {
  /** Contract: `job` must not reject. */
  enter(job: () => Promise<void>): void;
  /** Resolves when all jobs that have entered by then are done. */
  idle(): Promise<void>;
}

export function createLane(): Lane {
  const inOrder = createSerialQueue();
  let entered = 0;
  return {
    enter(job) {
      entered++;
      void inOrder(job);
    },
    async idle() {
      for (let seen: number | undefined; seen !== entered; ) {
        seen = entered;
        await inOrder(async () => {});
      }
    },
  };
}
