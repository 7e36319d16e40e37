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

export const openSql = (file: string, options: ConnectionOptions): Sql =>
  new SqlFile(openReplaceableConnection(file, options), options);

type Connection = ReturnType<typeof openReplaceableConnection>;

class SqlFile implements Sql {
  readonly exec: Sql['exec'];
  readonly generation: Sql['generation'];
  readonly close: Sql['close'];
  private isInTransaction = false;
  private wary = 0;

  constructor(
    private readonly connection: Connection,
    private readonly options: ConnectionOptions,
  ) {
    this.exec = connection.exec;
    this.generation = connection.generation;
    this.close = connection.close;
  }

  query = <Row extends readonly SqlValue[]>(text: string): Query<Row> => ({
    first: (...values) => this.use(text, (statement) => statement.get(values) as Row | undefined),
    all: (...values) => this.use(text, (statement) => statement.all(values) as Row[]),
    run: (...values) => {
      if (!this.isInTransaction) throw new Error(`not in a transaction: ${text}`);
      return this.write(text, values);
    },
    runAlone: (...values) => {
      const write = () => this.write(text, values);
      if (this.isInTransaction) return write();
      return this.wary > 0 ? this.transaction(write) : this.waryOfBusy(write);
    },
  });

  transaction = <T>(work: () => T, { isEager } = { isEager: false }): T => {
    const { connection } = this;
    if (this.isInTransaction) return work();
    this.waryOfBusy(() => (isEager ? beginEagerly(connection, this.options) : connection.exec('BEGIN IMMEDIATE')));
    this.isInTransaction = true;
    this.wary = Math.max(0, this.wary - 1);
    try {
      const result = work();
      connection.exec('COMMIT'); // of nothing, after a conflict: that writes nothing
      return result;
    } catch (error) {
      rollBack(connection);
      if (isBusy(error)) connection.replace();
      throw error;
    } finally {
      this.isInTransaction = false;
    }
  };

  private use<T>(text: string, how: Parameters<typeof this.connection.use<T>>[1]): T {
    try {
      return this.connection.use(text, how);
    } catch (error) {
      if (isBusy(error) && !this.isInTransaction) this.connection.replace();
      throw error;
    }
  }

  private write(text: string, values: readonly SqlValue[]): Written {
    const { changes, lastInsertRowid } = this.use(text, (statement) => statement.run(values));
    return { changes, lastRow: Number(lastInsertRowid) };
  }

  private waryOfBusy<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (isBusy(error)) this.wary = WARY_TRANSACTIONS;
      throw error;
    }
  }
}

function beginEagerly(connection: Connection, { busyMs }: ConnectionOptions): void {
  connection.exec('PRAGMA busy_timeout = 0');
  try {
    const end = performance.now() + EAGER_MS;
    while (!hasBegun(connection, end)) {}
  } finally {
    connection.exec(`PRAGMA busy_timeout = ${busyMs}`);
  }
}

function hasBegun(connection: Connection, end: number): boolean {
  try {
    connection.exec('BEGIN IMMEDIATE');
    return true;
  } catch (error) {
    if (!isBusy(error) || performance.now() > end) throw error;
    return false;
  }
}

/** SQLite has done it by itself after some errors, such as a full disk. */
function rollBack(connection: Connection): void {
  try {
    connection.exec('ROLLBACK');
  } catch {}
}
