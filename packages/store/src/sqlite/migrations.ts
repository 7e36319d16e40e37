import { StoreUnavailableError } from '@devs/core';
import type { Sql } from './sql.js';

interface Migration {
  /** What takes the schema from the version before to this one. */
  readonly sql: string;
  /** The first devs that understands the result. It is written into the file, for the message of an older one. */
  readonly needsDevs: string;
}

export interface Schema {
  /** SQLite's `application_id`: distinguishes our files from those of other programs. */
  readonly applicationId: number;
  /** The first leads to version 1, and so on. Released migrations never change; new ones are appended. */
  readonly migrations: readonly Migration[];
}

const FACTS = 'CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID';

/** Migrates the file to the newest version in one transaction. Refuses files that are newer or not ours. */
export function migrate(sql: Sql, file: string, schema: Schema): void {
  const { applicationId, migrations } = schema;
  if (versionOf(sql, file, schema) === migrations.length) return;
  sql.transaction(() => {
    const from = versionOf(sql, file, schema); // again: another process may have been faster
    sql.exec(FACTS);
    for (const { sql: step } of migrations.slice(from)) sql.exec(step);
    const needsDevs = migrations.at(-1)?.needsDevs ?? '';
    sql.query(`INSERT OR REPLACE INTO facts VALUES ('needs_devs', ?)`).run(needsDevs);
    sql.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${migrations.length}`);
  });
}

/** Refuses before anything is written: what would change a foreign file comes later. */
export function versionOf(sql: Sql, file: string, { applicationId, migrations }: Schema): number {
  const [version] = sql.query<[number]>('PRAGMA user_version').first() ?? [0];
  const [application] = sql.query<[number]>('PRAGMA application_id').first() ?? [0];
  const [tables] = sql.query<[number]>('SELECT count(*) FROM sqlite_schema').first() ?? [0];
  if (application !== applicationId && (application !== 0 || tables > 0 || version !== 0)) {
    throw new StoreUnavailableError(
      `${file} is an SQLite database of another program. Choose another file with --store sqlite:FILE.`,
    );
  }
  if (version > migrations.length) {
    throw new StoreUnavailableError(
      `${file} has store version ${version}, and this devs knows versions up to ${migrations.length}. ${neededDevs(sql, migrations)}, or choose another file with --store sqlite:FILE.`,
    );
  }
  return version;
}

/** What to do about a newer file. A file that says it needs no more than this devs is not believed. */
function neededDevs(sql: Sql, migrations: Schema['migrations']): string {
  try {
    const [version] = sql.query<[string]>(`SELECT value FROM facts WHERE name = 'needs_devs'`).first() ?? [];
    const isNews = version !== undefined && migrations.every(({ needsDevs }) => needsDevs !== version);
    return isNews ? `Update devs to ${version} or newer` : 'Update devs';
  } catch {
    return 'Update devs'; // so new that it has no such table
  }
}
