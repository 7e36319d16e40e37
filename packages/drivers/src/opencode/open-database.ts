import { access } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Pure: where opencode keeps everything. Development builds use other names, which we do not look for. */
export function databasePath(home: string, env: Readonly<Record<string, string | undefined>>): string {
  const folder = join(env.XDG_DATA_HOME || join(home, '.local', 'share'), 'opencode');
  const named = env.OPENCODE_DB;
  if (named === undefined || named === '' || named === ':memory:') return join(folder, 'opencode.db');
  return isAbsolute(named) ? named : join(folder, named);
}

export interface OpencodeDatabase {
  rows(sql: string, ...values: readonly (string | number)[]): Iterable<Readonly<Record<string, unknown>>>;
  close(): void;
}

/**
 * Opens the database read-only: it is the user's, opencode may be writing to it, and it also holds opencode's
 * credentials, which are never read. SQLite leaves empty `-wal` and `-shm` files beside it, as opencode does.
 *
 * Rejects if the file is missing or not a database.
 */
export async function openDatabase(path: string): Promise<OpencodeDatabase> {
  await access(path); // SQLite would say only that it cannot open it
  const { default: Database } = await import('libsql'); // loaded late: who reads other agents does not pay for it
  const database = new Database(`${pathToFileURL(path).href}?mode=ro`);
  try {
    database.exec('PRAGMA query_only = 1');
    database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  } catch (error) {
    database.close();
    throw error;
  }
  return {
    rows: (sql, ...values) => database.prepare(sql).iterate(...values) as Iterable<Readonly<Record<string, unknown>>>,
    close: () => database.close(),
  };
}

const BUSY_TIMEOUT_MS = 2_000;
