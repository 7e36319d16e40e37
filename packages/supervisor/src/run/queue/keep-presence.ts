import {
  MACHINES_STREAM,
  type MachineFacts,
  machineJoined,
  machineLease,
  machineLeft,
  type NamedLease,
  type NewEvent,
} from '@devs/core';
import type { QueueRequest } from './run-task.js';

/** A machine that is not heard of for so long counts as lost. */
const LEASE_MS = 45_000;
const BEATS_PER_LEASE = 3;
const MOST_TRIES = 50;

type PresenceParts = Pick<QueueRequest, 'store' | 'by'>;

/** Has others see this machine while it serves: its records say what it is, its lease that it lives. */
export async function keepPresence(
  { store, by }: PresenceParts,
  facts: MachineFacts,
): Promise<{ end(): Promise<void> }> {
  await tell(store, machineJoined(facts));
  const name = machineLease(facts.name);
  let lease: NamedLease | undefined;
  const beat = async () => {
    const isKept = lease !== undefined && (await store.leases.renew({ ...lease, leaseMs: LEASE_MS }));
    if (isKept) return;
    const outcome = await store.leases.acquire({ name, by, leaseMs: LEASE_MS });
    lease = outcome.status === 'acquired' ? outcome.lease : undefined; // the one before it has not run out yet
  };
  await beat();
  const timer = setInterval(() => void beat().catch(() => {}), LEASE_MS / BEATS_PER_LEASE);
  return {
    async end() {
      clearInterval(timer);
      // Where the store is gone the lease ends by itself.
      if (lease !== undefined) await store.leases.release(lease).catch(() => false);
      await tell(store, machineLeft(facts.name)).catch(() => {});
    },
  };
}

/** Other machines write to the same stream. */
async function tell({ log }: PresenceParts['store'], event: NewEvent): Promise<void> {
  for (let tries = 0, version = await log.version(MACHINES_STREAM); tries < MOST_TRIES; tries++) {
    const outcome = await log.append(MACHINES_STREAM, version, [event]);
    if (outcome.status === 'appended') return;
    version = outcome.version;
  }
}
