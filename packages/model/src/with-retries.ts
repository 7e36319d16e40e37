import { ModelCallError } from './model-call-error.js';

export interface RetryPolicy {
  /** After the first try. */
  readonly retries: number;
  readonly firstDelayMs: number;
  readonly mostDelayMs: number;
}

export const RETRY_POLICY: RetryPolicy = { retries: 4, firstDelayMs: 1_000, mostDelayMs: 60_000 };
/** For an unreachable server: its user gets an answer within seconds. A supervisor tries again later. */
const MAX_RETRIES_UNREACHABLE = 2;

export interface RetryTools {
  readonly policy: RetryPolicy;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** From 0 to 1: calls that failed together are not to be repeated together. */
  readonly random: () => number;
}

/**
 * Asks again where asking again may help: when the provider is busy, broken or out of reach. It waits as long as the provider
 * says, else twice as long each time. Rejects with the last error, or with the signal's reason.
 */
export async function withRetries<T>(
  attempt: () => Promise<T>,
  { policy, sleep, random }: RetryTools,
  signal: AbortSignal,
): Promise<T> {
  for (let tries = 0; ; tries++) {
    signal.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      signal.throwIfAborted();
      const wait = error instanceof ModelCallError ? delayBefore(error, tries, policy, random) : undefined;
      if (wait === undefined) throw error;
      await sleep(wait, signal);
    }
  }
}

/** Pure: how long to wait before the next try; `undefined` where there is none. */
export function delayBefore(
  { status, retryAfterMs, isUnreachable }: Pick<ModelCallError, 'status' | 'retryAfterMs' | 'isUnreachable'>,
  tries: number,
  { retries, firstDelayMs, mostDelayMs }: RetryPolicy,
  random: () => number,
): number | undefined {
  const allowed = isUnreachable ? Math.min(retries, MAX_RETRIES_UNREACHABLE) : retries;
  if (tries >= allowed || !mayPass(status)) return undefined;
  // A limit that lasts for hours is not awaited here: the caller learns when it ends.
  if (retryAfterMs !== undefined) return retryAfterMs <= mostDelayMs ? retryAfterMs : undefined;
  const longest = Math.min(mostDelayMs, firstDelayMs * 2 ** tries);
  return longest / 2 + (random() * longest) / 2;
}

/** Without a status the connection failed, broke, or took too long. */
const mayPass = (status: number | undefined) =>
  status === undefined || status === 408 || status === 409 || status === 429 || status >= 500;
