import type { Snapshot } from '@devs/core';
import type { Sql } from './sql.js';

export function createSnapshotRows(sql: Sql) {
  const load = sql.query<[position: number, state: string]>('SELECT position, state FROM snapshots WHERE name = ?');
  const save = sql.query(
    `INSERT INTO snapshots VALUES (?, ?, ?) ON CONFLICT (name) DO UPDATE
     SET position = excluded.position, state = excluded.state WHERE excluded.position > position`,
  );
  return {
    load(name: string): Snapshot | undefined {
      const row = load.first(name);
      return row && { position: row[0], state: JSON.parse(row[1]) };
    },
    save: (name: string, { position, state }: Snapshot) =>
      void sql.transaction(() => save.run(name, position, JSON.stringify(state))),
  };
}
