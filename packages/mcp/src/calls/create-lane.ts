/** Jobs run one after another, in the order in which they entered. */
export interface Lane {
  /** Contract: `job` must not reject. */
  enter(job: () => Promise<void>): void;
  /** Resolves when all jobs that have entered by then are done. */
  idle(): Promise<void>;
}

export function createLane(): Lane {
  let tail = Promise.resolve();
  return {
    enter(job) {
      tail = tail.then(job);
    },
    async idle() {
      for (let seen: Promise<void> | undefined; seen !== tail; ) {
        seen = tail;
        await seen;
      }
    },
  };
}
