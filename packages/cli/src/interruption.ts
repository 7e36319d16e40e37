/** Runs a job that ends well when the user presses Ctrl-C. */
export type UntilInterrupted = <T>(job: (signal: AbortSignal) => Promise<T>) => Promise<T>;

/** Who is to be told of a Ctrl-C: the job that can end well, if one runs and has not been told. */
export function createInterruption(): {
  readonly untilInterrupted: UntilInterrupted;
  /** Whether somebody takes care of it; else the process should end. */
  readonly interrupt: () => boolean;
} {
  let running: AbortController | undefined;
  return {
    async untilInterrupted(job) {
      const own = new AbortController();
      running = own;
      try {
        return await job(own.signal);
      } finally {
        running = undefined;
      }
    },
    interrupt() {
      if (running === undefined || running.signal.aborted) return false;
      running.abort();
      return true;
    },
  };
}
