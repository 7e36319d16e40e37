import {
  MACHINES_STREAM,
  type MachineFacts,
  machineJoined,
  machineLease,
  machineLeft,
  type NamedLease,
  type NewEvent,
} from '@devs/core';
import { DEFAULT_TIMING } from '../../supervision.js';
import type { QueueRequest } from './run-task.js';

const BEATS_PER_LEASE = 3;
const MAX_TRIES = 50;

type PresenceParts = Pick<QueueRequest, 'store' | 'by' | 'timing'>;

/** Has others see this machine while it serves: its records say what it is, its lease that it lives. */
export async function keepPresence(
  { store, by, timing }: PresenceParts,
  facts: MachineFacts,
): Promise<{ end(): Promise<void> }> {
  const leaseMs = timing?.leaseMs ?? DEFAULT_TIMING.leaseMs; // without news for so long, it counts as lost
  await tell(store, machineJoined(facts));
  const name = machineLease(facts.name);
  let lease: NamedLease | undefined;
  const beat = async () => {
    const isKept = lease !== undefined && (await store.leases.renew({ ...lease, leaseMs }));
    if (isKept) return;
    const outcome = await store.leases.acquire({ name, by, leaseMs });
    lease = outcome.status === 'acquired' ? outcome.lease : undefined; // the one before it has not run out yet
  };
  await beat();
  const timer = setInterval(() => void beat().catch(() => {}), leaseMs / BEATS_PER_LEASE);
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
  for (let tries = 0, version = await log.version(MACHINES_STREAM); tries < MAX_TRIES; tries++) {
    const outcome = await log.append(MACHINES_STREAM, version, [event]);
    if (outcome.status === 'appended') return;
    version = outcome.version;
  }
}
