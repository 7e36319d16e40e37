import type { Snapshot } from '@devs/core';
import { parseSnapshotState } from '../parse-stored.js';
import type { Sql } from './sql.js';

export function createSnapshotRows(sql: Sql) {
  const load = sql.query<[position: number, state: string]>('SELECT position, state FROM snapshots WHERE name = ?');
  const save = sql.query(
    `INSERT INTO snapshots VALUES (?, ?, ?) ON CONFLICT (name) DO UPDATE
     SET position = excluded.position, state = excluded.state WHERE excluded.position > position OR NOT json_valid(state)`,
  );
  return {
    load(name: string): Snapshot | undefined {
      const row = load.first(name);
      const state = row && parseSnapshotState(row[1]);
      return row && state && { position: row[0], state };
    },
    save: (name: string, { position, state }: Snapshot) =>
      void sql.transaction(() => save.run(name, position, JSON.stringify(state))),
  };
}
