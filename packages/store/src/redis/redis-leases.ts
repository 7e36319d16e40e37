import type { LeaseRecord, StoreBackend } from '@devs/core';
import type { RedisConnection } from './redis-connection.js';
import type { Evaluate } from './redis-tasks.js';
import { swapLeaseScript } from './write-scripts.js';

interface Deps {
  readonly connection: RedisConnection;
  readonly evaluate: Evaluate;
  readonly keyPrefix: string;
}

/** Named leases, each a hash of its own. They have no expiry in Redis: the next holder's fence follows from the last. */
export function createLeaseRecords(deps: Deps): Pick<StoreBackend, 'loadLease' | 'swapLease'> {
  const { connection, evaluate, keyPrefix } = deps;
  return {
    async loadLease(name) {
      const record = await connection.run((redis) => redis.hget(`${keyPrefix}lease:${name}`, 'record'));
      return record === null ? undefined : (JSON.parse(record) as LeaseRecord);
    },

    async swapLease({ expectedRevision = '', after }) {
      const args = [after.name, expectedRevision, after.revision, JSON.stringify(after)];
      return (await evaluate(swapLeaseScript, args)) === 1;
    },
  };
}
