import type { Schema } from './migrations.js';

/**
 * Version 1.
 *
 * - `events`: `position` is the row id, so that reading on is a walk; the index on `stream` ends in it by itself. The first
 *   event that a commit adds to a stream has its id, so that a commit that is sent twice is known again.
 * - `tasks`: `record` is the task; the other columns are copies for finding it. `seq` is the order of adding.
 */
const VERSION_1 = `
  CREATE TABLE events (
    position INTEGER PRIMARY KEY,
    stream TEXT NOT NULL,
    version INTEGER NOT NULL,
    type TEXT NOT NULL,
    at INTEGER NOT NULL,
    data TEXT NOT NULL,
    commit_id TEXT
  ) STRICT;
  CREATE INDEX events_by_stream ON events (stream);

  CREATE TABLE tasks (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    status TEXT NOT NULL,
    priority INTEGER NOT NULL,
    waits_for INTEGER NOT NULL,
    fence INTEGER NOT NULL,
    lease_until INTEGER,
    search TEXT NOT NULL,
    record TEXT NOT NULL
  ) STRICT;
  CREATE INDEX tasks_by_status ON tasks (status);
  CREATE INDEX tasks_claimable ON tasks (priority DESC, seq) WHERE status = 'pending' AND waits_for = 0;
  CREATE INDEX tasks_held ON tasks (lease_until) WHERE status = 'in_progress';

  CREATE TABLE task_dependencies (
    dependency TEXT NOT NULL,
    task TEXT NOT NULL,
    PRIMARY KEY (dependency, task)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE snapshots (
    name TEXT PRIMARY KEY,
    position INTEGER NOT NULL,
    state TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
`;

/** Version 2: named leases. Rows of ended leases stay, since a fence must never be reused. */
const VERSION_2 = `
  CREATE TABLE leases (
    name TEXT PRIMARY KEY,
    holder TEXT NOT NULL,
    fence INTEGER NOT NULL,
    until INTEGER NOT NULL,
    revision TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
`;

/** Version 3: the store's own random id. */
const VERSION_3 = `
  INSERT OR IGNORE INTO facts VALUES ('store_id', lower(hex(randomblob(16))));
`;

/** Version 4: where the versions of streams continue whose events were removed. */
const VERSION_4 = `
  CREATE TABLE trimmed (
    stream TEXT PRIMARY KEY,
    version INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
`;

export const STORE_SCHEMA: Schema = {
  applicationId: 0x64657673, // "devs"
  migrations: [
    { sql: VERSION_1, needsDevs: '0.1.0' },
    { sql: VERSION_2, needsDevs: '0.1.0' },
    { sql: VERSION_3, needsDevs: '0.1.0' },
    { sql: VERSION_4, needsDevs: '0.1.0' },
  ],
};
