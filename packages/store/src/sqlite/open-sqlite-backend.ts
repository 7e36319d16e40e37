import type { LeaseRecord, LeaseSwap, Snapshot, StoreBackend } from '@devs/core';
import { parseSnapshotState } from '../parse-stored.js';
import { createChangeSignal } from './change-signal.js';
import { createEventRows } from './event-rows.js';
import { createLogLengthener } from './lengthen-log.js';
import { openConnection } from './open-connection.js';
import { retryBusy } from './retry-busy.js';
import { STORE_SCHEMA } from './schema.js';
import type { Sql } from './sql.js';
import { asUnavailable } from './store-failure.js';
import { openStoreId } from './store-id.js';
import { createTaskRows } from './task-rows.js';
import { createCommitWriter } from './write-commit.js';
import { createWriteLane } from './write-lane.js';

export interface SqliteBackendOptions {
  readonly file: string;
  /** Whether a follower that waits keeps the process from ending, as `devs log --follow` wants. Default: false. */
  readonly keepAlive?: boolean;
  /** Names the copy of a damaged file. Default: the system's clock. */
  readonly now?: () => number;
  /** The id of the store that the caller knows. Throws `StoreReplacedError` where the file holds another. Default: any. */
  readonly expectedId?: string;
}

export interface SqliteBackend extends StoreBackend {
  /** Copy of a damaged file; the store started empty. Report it to the user. */
  readonly damagedKept?: string;
  /** The file had been emptied; the store started empty. Report it to the user. */
  readonly wasEmptied?: true;
}

/**
 * The store in one SQLite file that several processes may use at once. Throws `StoreUnavailableError` when the file cannot
 * be used; the message says what to do.
 */
export function openSqliteBackend(options: SqliteBackendOptions): SqliteBackend {
  const { file, keepAlive = false, now = Date.now, expectedId } = options;
  const { sql, ...found } = openConnection(file, { schema: STORE_SCHEMA, now });
  const storeId = openStoreId(sql, file, expectedId);
  const events = createEventRows(sql);
  const tasks = createTaskRows(sql);
  const leases = createLeaseRows(sql);
  const snapshots = createSnapshotRows(sql);
  const write = createCommitWriter(sql, { storeId, events, tasks });
  const lengthenLog = createLogLengthener(sql, file);
  const dataVersion = sql.query<[number]>('PRAGMA data_version');
  const changes = createChangeSignal({
    dataVersion: () => `${dataVersion.first()?.[0]} of connection ${sql.generation()}`,
    isThere: events.isThere,
    keepAlive,
  });

  const inOrder = createWriteLane(sql);
  async function attempt<T>(how: () => Promise<T>): Promise<T> {
    try {
      return await how();
    } catch (error) {
      throw asUnavailable(error, file);
    }
  }
  const attemptRead = <T>(work: () => T) => attempt(() => retryBusy(work));
  const attemptWrite = <T>(work: () => T) => attempt(() => inOrder(work));

  return {
    ...found,
    id: async () => storeId.value,
    async commit(commit) {
      const result = await attemptWrite(() => write(commit));
      if (result.committed) {
        changes.notify();
        lengthenLog();
      }
      return result;
    },
    read: (query) => attemptRead(() => events.read(query)),
    version: (stream) => attemptRead(() => events.version(stream)),
    changed: async (query, signal) => (await attemptRead(() => ({ changed: changes.wait(query, signal) }))).changed,
    loadTasks: (ids) => attemptRead(() => tasks.loadTasks(ids)),
    claimableTasks: (limit) => attemptRead(() => tasks.claimableTasks(limit)),
    expiredTasks: (time, limit) => attemptRead(() => tasks.expiredTasks(time, limit)),
    dependentsOf: (id) => attemptRead(() => tasks.dependentsOf(id)),
    listTasks: (query) => attemptRead(() => tasks.listTasks(query)),
    renewLease: (lease) => attemptWrite(() => tasks.renewLease(lease)),
    leaseTime: async (caller) => caller.now(), // all who share the file are on this machine
    loadLease: (name) => attemptRead(() => leases.load(name)),
    swapLease: (swap) => attemptWrite(() => leases.swap(swap)),
    loadSnapshot: (name) => attemptRead(() => snapshots.load(name)),
    saveSnapshot: (name, snapshot) => attemptWrite(() => snapshots.save(name, snapshot)),
    trim: ({ streams, snapshots: names }) =>
      attemptWrite(() =>
        sql.transaction(() => {
          storeId.check();
          for (const name of names) snapshots.remove(name);
          return streams.reduce((removed, { stream, version }) => removed + events.trim(stream, version), 0);
        }),
      ),
    compact: async () => {}, // the room is used for what comes next
    async close() {
      changes.close();
      sql.close();
    },
  };
}

type LeaseRow = readonly [holder: string, fence: number, until: number, revision: string];

function createLeaseRows(sql: Sql) {
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

function createSnapshotRows(sql: Sql) {
  const load = sql.query<[position: number, state: string]>('SELECT position, state FROM snapshots WHERE name = ?');
  const save = sql.query(
    `INSERT INTO snapshots VALUES (?, ?, ?) ON CONFLICT (name) DO UPDATE
     SET position = excluded.position, state = excluded.state WHERE excluded.position > position OR NOT json_valid(state)`,
  );
  const remove = sql.query('DELETE FROM snapshots WHERE name = ?');
  return {
    remove: (name: string) => void remove.run(name),
    load(name: string): Snapshot | undefined {
      const row = load.first(name);
      const state = row && parseSnapshotState(row[1]);
      return row && state && { position: row[0], state };
    },
    save: (name: string, { position, state }: Snapshot) =>
      void sql.transaction(() => save.run(name, position, JSON.stringify(state))),
  };
}
