import { setTimeout as pause } from 'node:timers/promises';
import { StoreContendedError, StoreUnavailableError } from '@devs/core';

/** Each of them has waited for the store before it failed. */
const MAX_TRIES = 20;

export interface OutageWait {
  readonly pauseMs: number;
  readonly signal: AbortSignal | undefined;
}

/** The store cannot be used now: a backup holds its file, its server starts anew, its disk is full. */
export const isOutage = (error: unknown): boolean =>
  error instanceof StoreUnavailableError || error instanceof StoreContendedError;

/** Does the work again while the store cannot be used, but not for ever, and not after the signal. */
export async function outlastOutage<T>(work: () => Promise<T>, { pauseMs, signal }: OutageWait): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!isOutage(error) || tries >= MAX_TRIES || signal?.aborted) throw error;
    }
    await pause(pauseMs, undefined, { signal }).catch(() => {}); // cancelled: the last try says why
  }
}
