import type { LeaseRecord, LeaseSwap } from '@devs/core';
import type { Sql } from './sql.js';

type LeaseRow = readonly [holder: string, fence: number, until: number, revision: string];

export function createLeaseRows(sql: Sql) {
  const load = sql.query<LeaseRow>('SELECT holder, fence, until, revision FROM leases WHERE name = ?');
  const insert = sql.query(
    'INSERT OR IGNORE INTO leases (holder, fence, until, revision, name) VALUES (?, ?, ?, ?, ?)',
  );
  const update = sql.query(
    'UPDATE leases SET holder = ?, fence = ?, until = ?, revision = ? WHERE name = ? AND revision = ?',
  );
  return {
    load(name: string): LeaseRecord | undefined {
      const row = load.first(name);
      return row && { name, by: row[0], fence: row[1], until: row[2], revision: row[3] };
    },
    swap: ({ expectedRevision, after: { name, by, fence, until, revision } }: LeaseSwap): boolean =>
      sql.transaction(() => {
        const row = [by, fence, until, revision, name] as const;
        const { changes } = expectedRevision === undefined ? insert.run(...row) : update.run(...row, expectedRevision);
        return changes > 0 || load.first(name)?.[3] === revision;
      }),
  };
}
