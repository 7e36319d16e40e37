import { setTimeout as pause } from 'node:timers/promises';
import type { Leases } from '@devs/core';

interface Held {
  readonly status: 'held';
  readonly by: string;
  readonly until: number;
}

export interface WaitForLease {
  readonly leases: Pick<Leases, 'get'>;
  readonly name: string;
  readonly pollMs: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Retries while a dead process holds a name: a killed supervisor leaves its lease behind. A live holder renews it, and
 * is left alone.
 */
export async function untilFree<T extends { readonly status: string }>(
  attempt: () => Promise<T | Held>,
  { leases, name, pollMs, signal }: WaitForLease,
): Promise<T | Held> {
  let first: Held | undefined;
  for (;;) {
    const outcome = await attempt();
    if (outcome.status !== 'held') return outcome;
    const held = outcome as Held;
    first ??= held;
    if (held.until > first.until || signal?.aborted) return held;
    for (;;) {
      const now = await leases.get(name);
      if (now === undefined) break;
      if (now.until > first.until) return { status: 'held', by: now.by, until: now.until };
      if (signal?.aborted) return held;
      await pause(pollMs);
    }
  }
}
