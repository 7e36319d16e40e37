import type { Schema } from '../sqlite/migrations.js';
import { openConnection } from '../sqlite/open-connection.js';
import { retryBusySync } from '../sqlite/retry-busy.js';
import type { Sql } from '../sqlite/sql.js';
import { asUnavailable } from '../sqlite/store-failure.js';

const INDEX_SCHEMA: Schema = {
  applicationId: 0x64767069, // "dvpi"
  migrations: [
    {
      sql: 'CREATE TABLE projects (root TEXT PRIMARY KEY, last_used INTEGER NOT NULL) STRICT, WITHOUT ROWID',
      needsDevs: '0.1.0',
    },
  ],
};

export interface KnownProject {
  readonly root: string;
  /** In milliseconds since 1970. */
  readonly lastUsedAt: number;
}

/** `file` as `projectIndexFile` gives it. */
export interface IndexPlace {
  readonly file: string | undefined;
}

/** The list is a convenience: a problem with it is a text for the curious, never an error. */
export type IndexOutcome = { readonly status: 'ok' } | { readonly status: 'problem'; readonly problem: string };

export const rememberProject = ({ file }: IndexPlace, { root, lastUsedAt }: KnownProject): IndexOutcome =>
  change(file, (sql) => void sql.query('INSERT OR REPLACE INTO projects VALUES (?, ?)').run(root, lastUsedAt));

export const forgetProject = ({ file }: IndexPlace, root: string): IndexOutcome =>
  change(file, (sql) => void sql.query('DELETE FROM projects WHERE root = ?').run(root));

/** Most recently used first. */
export function listProjects({ file }: IndexPlace): {
  readonly projects: readonly KnownProject[];
  readonly problem?: string;
} {
  let projects: readonly KnownProject[] = [];
  const problem = withIndex(file, (sql) => {
    const rows = sql
      .query<[string, number]>('SELECT root, last_used FROM projects ORDER BY last_used DESC, root')
      .all();
    projects = rows.map(([root, lastUsedAt]) => ({ root, lastUsedAt }));
  });
  return { projects, ...(problem !== undefined && { problem }) };
}

function change(file: string | undefined, work: (sql: Sql) => void): IndexOutcome {
  const problem = withIndex(file, (sql) => sql.transaction(() => work(sql)));
  return problem === undefined ? { status: 'ok' } : { status: 'problem', problem };
}

/** Returns the problem, if any. */
function withIndex(file: string | undefined, work: (sql: Sql) => void): string | undefined {
  if (file === undefined) return 'there is no home folder for the list of projects';
  try {
    const { sql, damagedKept } = openConnection(file, { schema: INDEX_SCHEMA, now: Date.now });
    try {
      retryBusySync(() => work(sql));
    } finally {
      sql.close();
    }
    return damagedKept && `the list of projects was damaged, and is kept as ${damagedKept}; a new one was begun`;
  } catch (error) {
    return asUnavailable(error, file).message;
  }
}
