/** Runs a job that ends well when the user presses Ctrl-C. */
export type UntilInterrupted = <T>(job: (signal: AbortSignal) => Promise<T>) => Promise<T>;

/** The same for a job that also wants to know about a second Ctrl-C: `again` is for urgent actions. */
export type UntilInterruptedTwice = <T>(job: (signal: AbortSignal, again: AbortSignal) => Promise<T>) => Promise<T>;

/** Who is to be told of a Ctrl-C: the job that can end well, if one runs and has not been told. */
export function createInterruption(): {
  readonly untilInterrupted: UntilInterrupted;
  readonly untilInterruptedTwice: UntilInterruptedTwice;
  /** Whether a job handles it; otherwise the process should end. */
  readonly interrupt: () => boolean;
  /** A job is done that must come to its end whether or not anybody reads what it prints. */
  readonly isAtWork: () => boolean;
} {
  let running: readonly AbortController[] = [];
  const during = async <T>(tellings: readonly AbortController[], job: () => Promise<T>): Promise<T> => {
    running = tellings;
    try {
      return await job();
    } finally {
      running = [];
    }
  };
  return {
    untilInterrupted(job) {
      const own = new AbortController();
      return during([own], () => job(own.signal));
    },
    untilInterruptedTwice(job) {
      const [first, second] = [new AbortController(), new AbortController()];
      return during([first, second], () => job(first.signal, second.signal));
    },
    isAtWork: () => running.length > 1,
    interrupt() {
      const next = running.find(({ signal }) => !signal.aborted);
      next?.abort();
      return next !== undefined;
    },
  };
}
