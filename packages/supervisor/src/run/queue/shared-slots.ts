import { setTimeout as pause } from 'node:timers/promises';
import type { Leases, NamedLease } from '@devs/core';
import { isOutage } from './outlast-outage.js';

/** A number of places that all machines share. */
export interface SharedSlots {
  /** Until a slot is free; what gives it back, or nothing where the wait was cancelled. */
  take(signal: AbortSignal): Promise<(() => Promise<void>) | undefined>;
}

export interface SharedSlotsOptions {
  readonly leases: Leases;
  readonly by: string;
  /** For all machines together. */
  readonly count: number;
  /** A slot of a machine that is gone is free again after so long. */
  readonly leaseMs: number;
  readonly lookMs?: number;
}

const LOOK_MS = 1_000;
/** With hundreds of slots a look at some of them does. */
const MAX_LOOKS = 16;
const BEATS_PER_LEASE = 3;

/** A slot is a lease by its number: who holds it works. */
export function createSharedSlots({ leases, by, count, leaseMs, lookMs = LOOK_MS }: SharedSlotsOptions): SharedSlots {
  let next = 0;
  const takeOne = async (): Promise<NamedLease | undefined> => {
    for (let looks = 0; looks < Math.min(count, MAX_LOOKS); looks++) {
      const name = `fleet-slot:${next++ % count}`;
      const outcome = await leases.acquire({ name, by, leaseMs }).catch(ifAway);
      if (outcome?.status === 'acquired') return outcome.lease;
    }
    return undefined;
  };
  return {
    async take(signal) {
      while (!signal.aborted) {
        const lease = await takeOne();
        if (lease !== undefined) return keep(leases, lease, leaseMs);
        await pause(lookMs, undefined, { signal }).catch(() => {});
      }
      return undefined;
    },
  };
}

function keep(leases: Leases, lease: NamedLease, leaseMs: number): () => Promise<void> {
  const timer = setInterval(
    () => void leases.renew({ ...lease, leaseMs }).catch(() => {}), // the store is away: so it is for all
    leaseMs / BEATS_PER_LEASE,
  );
  return async () => {
    clearInterval(timer);
    await leases.release(lease).catch(() => false); // it ends by itself
  };
}

function ifAway(error: unknown): undefined {
  if (!isOutage(error)) throw error;
}
