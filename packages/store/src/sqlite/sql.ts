import Database from 'libsql';
import { isBusy, SqlClosedError } from './store-failure.js';

type SqlValue = string | number | null;

/**
 * A connection to a file. libsql's own type stays behind this file: its rows are `unknown`, it closes too late, and it does not reset
 * a prepared statement that found the file busy. Such a statement keeps the connection at the file as it was then, and every write
 * after that ends in SQLITE_BUSY_SNAPSHOT, for as long as the connection lives. So a write is begun, committed and rolled back by
 * `exec`, which leaves no statement behind; and a connection on which a prepared statement was busy nevertheless is replaced.
 */
export interface Sql {
  /** Statements without parameters or rows. */
  exec(text: string): void;
  /** Prepared at the first use, then kept. */
  query<Row extends readonly SqlValue[]>(text: string): Query<Row>;
  /** Does the work whole or not at all, with the file for this connection alone. Statements that write work nowhere else. */
  transaction<T>(work: () => T): T;
  /** Grows with each connection that took the place of another. */
  generation(): number;
  close(): void;
}

interface Query<Row extends readonly SqlValue[]> {
  first(...values: SqlValue[]): Row | undefined;
  all(...values: SqlValue[]): Row[];
  run(...values: SqlValue[]): { readonly changes: number; readonly lastRow: number };
}

interface SqlOptions {
  /** How long a statement may wait for another process. The event loop stands still meanwhile. */
  readonly busyMs: number;
  /** Said to each connection before its first use. */
  readonly pragmas?: readonly string[];
}

export function openSql(file: string, { busyMs, pragmas = [] }: SqlOptions): Sql {
  let state: 'idle' | 'in-transaction' | 'closed' = 'idle';
  let database: Database.Database | undefined;
  let statements = new Map<string, Database.Statement>();
  let generation = 0;

  function connection(): Database.Database {
    if (state === 'closed') throw new SqlClosedError();
    if (database === undefined) {
      database = new Database(file, { timeout: busyMs });
      for (const pragma of pragmas) database.exec(`PRAGMA ${pragma}`);
    }
    return database;
  }
  /** libsql lets go of the file when the last statement is collected, and until then a closed connection still works. */
  function letGo(): void {
    database?.close();
    database = undefined;
    statements = new Map();
    generation++;
  }
  function prepared(text: string): Database.Statement {
    const known = statements.get(text);
    if (known !== undefined) return known;
    const made = connection().prepare(text);
    if (made.reader) made.raw(); // rows as arrays: as objects they would carry a `_metadata` of libsql's
    statements.set(text, made);
    return made;
  }
  function use<T>(text: string, how: (statement: Database.Statement) => T): T {
    try {
      return how(prepared(text));
    } catch (error) {
      statements.delete(text);
      if (isBusy(error) && state === 'idle') letGo();
      throw error;
    }
  }
  /** SQLite has done it by itself after some errors, such as a full disk. */
  function rollBack(): void {
    try {
      connection().exec('ROLLBACK');
    } catch {}
  }

  connection();
  return {
    exec: (text) => void connection().exec(text),
    query: <Row extends readonly SqlValue[]>(text: string): Query<Row> => ({
      first: (...values) => use(text, (statement) => statement.get(values) as Row | undefined),
      all: (...values) => use(text, (statement) => statement.all(values) as Row[]),
      run(...values) {
        if (state === 'idle') throw new Error(`not in a transaction: ${text}`);
        const { changes, lastInsertRowid } = use(text, (statement) => statement.run(values));
        return { changes, lastRow: Number(lastInsertRowid) };
      },
    }),
    transaction(work) {
      connection().exec('BEGIN IMMEDIATE');
      state = 'in-transaction';
      try {
        const result = work();
        connection().exec('COMMIT'); // of nothing, after a conflict: that writes nothing
        state = 'idle';
        return result;
      } catch (error) {
        rollBack();
        state = 'idle';
        if (isBusy(error)) letGo();
        throw error;
      }
    },
    generation: () => generation,
    close() {
      letGo();
      state = 'closed';
    },
  };
}
