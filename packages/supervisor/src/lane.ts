import { createSerialQueue } from '@devs/core';

/** One thing at a time for one terminal, and what is due in between. */
export interface Lane {
  /** Aborted when the terminal is let go, or when what is being done is cancelled. */
  readonly signal: AbortSignal;
  readonly isClosed: boolean;
  /** Does this when everything before it is done. Rejects once the lane is closed. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Something has changed: looks what is due, soon. */
  wake(): void;
  /** Cancels what is being done now. The record says how far it came. */
  callOff(why: string): void;
  /** Cancels everything, and resolves when nothing is being done any more. */
  close(): Promise<void>;
}

export interface LaneOptions {
  /** Does the next thing that is due. `true`: look again at once. */
  step(): Promise<boolean>;
  onError(error: unknown): void;
}

export function createLane({ step, onError }: LaneOptions): Lane {
  const closing = new AbortController();
  const inTurn = createSerialQueue();
  let job = new AbortController();
  let isDue = false;
  let isAtWork = false;

  const run = <T>(work: () => Promise<T>): Promise<T> =>
    inTurn(() => {
      closing.signal.throwIfAborted();
      job = new AbortController();
      return work();
    });
  const workOff = async () => {
    while (isDue && !closing.signal.aborted) {
      isDue = false;
      if (await step()) isDue = true;
    }
  };
  return {
    get signal() {
      return AbortSignal.any([closing.signal, job.signal]);
    },
    get isClosed() {
      return closing.signal.aborted;
    },
    run,
    wake() {
      isDue = true;
      if (isAtWork || closing.signal.aborted) return;
      isAtWork = true;
      void run(workOff)
        .catch((error: unknown) => {
          if (!closing.signal.aborted && !job.signal.aborted) onError(error);
        })
        .finally(() => {
          isAtWork = false;
        });
    },
    callOff: (why) => job.abort(new Error(why)),
    async close() {
      closing.abort(new Error('the terminal was let go'));
      await inTurn(async () => {});
    },
  };
}
