import { type ConnectionOptions, openReplaceableConnection } from './replaceable-connection.js';
import { isBusy } from './store-failure.js';

type SqlValue = string | number | null;

/**
 * A connection to a file. Hides libsql's own type: its rows are `unknown`, it closes too late, and it does not reset a
 * prepared statement that found the file busy. Such a statement pins the connection to that state of the file, and
 * every later write ends in SQLITE_BUSY_SNAPSHOT for the life of the connection. So `exec`, which leaves no statement
 * behind, begins, commits and rolls back each write, and a connection with a busy prepared statement is replaced. A
 * write of one statement avoids `exec` while no other process writes: that takes a fifth less time.
 */
export interface Sql {
  /** Statements without parameters or rows. */
  exec(text: string): void;
  /** Prepared at the first use, then kept. */
  query<Row extends readonly SqlValue[]>(text: string): Query<Row>;
  /** Does the work whole or not at all, with the file for this connection alone. Within another transaction it is a part of that. */
  transaction<T>(work: () => T, how?: { readonly isEager: boolean }): T;
  /** Grows with each connection that took the place of another. */
  generation(): number;
  close(): void;
}

interface Query<Row extends readonly SqlValue[]> {
  first(...values: SqlValue[]): Row | undefined;
  all(...values: SqlValue[]): Row[];
  /** Within a transaction. */
  run(...values: SqlValue[]): Written;
  /** Runs as its own transaction, or as part of a surrounding one. */
  runAlone(...values: SqlValue[]): Written;
}

interface Written {
  readonly changes: number;
  readonly lastRow: number;
}

/** After a busy file this many transactions must find it free before a write does without one: to find it busy costs a connection. */
const WARY_TRANSACTIONS = 256;
/**
 * SQLite keeps no queue: the first process to ask gets a free file. A neighbour that commits without a pause leaves
 * gaps of a few microseconds, which a process that asks once a millisecond never hits. So an eager process asks
 * without a pause, but only as long as the event loop may block.
 */
const EAGER_MS = 4;

export function openSql(file: string, options: ConnectionOptions): Sql {
  const connection = openReplaceableConnection(file, options);
  let isInTransaction = false;
  let wary = 0;

  function use<T>(text: string, how: Parameters<typeof connection.use<T>>[1]): T {
    try {
      return connection.use(text, how);
    } catch (error) {
      if (isBusy(error) && !isInTransaction) connection.replace();
      throw error;
    }
  }
  function write(text: string, values: readonly SqlValue[]): Written {
    const { changes, lastInsertRowid } = use(text, (statement) => statement.run(values));
    return { changes, lastRow: Number(lastInsertRowid) };
  }
  function waryOfBusy<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (isBusy(error)) wary = WARY_TRANSACTIONS;
      throw error;
    }
  }
  function beginEagerly(): void {
    connection.exec('PRAGMA busy_timeout = 0');
    try {
      const end = performance.now() + EAGER_MS;
      while (!hasBegun(end)) {}
    } finally {
      connection.exec(`PRAGMA busy_timeout = ${options.busyMs}`);
    }
  }
  function hasBegun(end: number): boolean {
    try {
      connection.exec('BEGIN IMMEDIATE');
      return true;
    } catch (error) {
      if (!isBusy(error) || performance.now() > end) throw error;
      return false;
    }
  }
  function transaction<T>(work: () => T, { isEager } = { isEager: false }): T {
    if (isInTransaction) return work();
    waryOfBusy(() => (isEager ? beginEagerly() : connection.exec('BEGIN IMMEDIATE')));
    isInTransaction = true;
    wary = Math.max(0, wary - 1);
    try {
      const result = work();
      connection.exec('COMMIT'); // of nothing, after a conflict: that writes nothing
      return result;
    } catch (error) {
      rollBack();
      if (isBusy(error)) connection.replace();
      throw error;
    } finally {
      isInTransaction = false;
    }
  }
  /** SQLite has done it by itself after some errors, such as a full disk. */
  function rollBack(): void {
    try {
      connection.exec('ROLLBACK');
    } catch {}
  }

  return {
    exec: connection.exec,
    query: <Row extends readonly SqlValue[]>(text: string): Query<Row> => ({
      first: (...values) => use(text, (statement) => statement.get(values) as Row | undefined),
      all: (...values) => use(text, (statement) => statement.all(values) as Row[]),
      run(...values) {
        if (!isInTransaction) throw new Error(`not in a transaction: ${text}`);
        return write(text, values);
      },
      runAlone(...values) {
        if (isInTransaction) return write(text, values);
        return wary > 0 ? transaction(() => write(text, values)) : waryOfBusy(() => write(text, values));
      },
    }),
    transaction,
    generation: connection.generation,
    close: connection.close,
  };
}
