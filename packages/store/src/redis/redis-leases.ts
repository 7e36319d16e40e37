import type { LeaseRecord, StoreBackend } from '@devs/core';
import { loadLeaseScript } from './read-scripts.js';
import type { Evaluate } from './redis-tasks.js';
import { swapLeaseScript } from './write-scripts.js';

/** Named leases, one hash each. They never expire in Redis: the next fence follows from the last. */
export const createLeaseRecords = (evaluate: Evaluate): Pick<StoreBackend, 'loadLease' | 'swapLease'> => ({
  async loadLease(name) {
    const record = await evaluate(loadLeaseScript, [name]);
    return typeof record === 'string' ? (JSON.parse(record) as LeaseRecord) : undefined;
  },

  async swapLease({ expectedRevision = '', after }) {
    const args = [after.name, expectedRevision, after.revision, JSON.stringify(after)];
    return (await evaluate(swapLeaseScript, args)) === 1;
  },
});
