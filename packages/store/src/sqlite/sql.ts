import Database from 'libsql';

/**
 * To be executed, never prepared: libsql does not reset a prepared BEGIN that found the file busy, and the connection would go on
 * seeing the file as it was then. Every write after that ends in SQLITE_BUSY_SNAPSHOT.
 */
export const BEGIN = 'BEGIN IMMEDIATE';

type SqlValue = string | number | null;

/** A connection. libsql's own type stays behind this file: its rows are `unknown`, and it closes too late. */
export interface Sql {
  /** Statements without parameters or rows. */
  exec(text: string): void;
  /** Prepared at the first use, then kept. */
  query<Row extends readonly SqlValue[]>(text: string): Query<Row>;
  close(): void;
}

interface Query<Row extends readonly SqlValue[]> {
  first(...values: SqlValue[]): Row | undefined;
  all(...values: SqlValue[]): Row[];
  run(...values: SqlValue[]): { readonly changes: number; readonly lastRow: number };
}

/** `busyMs`: how long a statement may wait for another process. The event loop stands still meanwhile. */
export function openSql(file: string, { busyMs }: { readonly busyMs: number }): Sql {
  let database: Database.Database | undefined = new Database(file, { timeout: busyMs });
  const prepared: (() => void)[] = [];
  const connection = () => {
    if (database === undefined) throw new SqlClosedError();
    return database;
  };
  return {
    exec: (text) => void connection().exec(text),
    query<Row extends readonly SqlValue[]>(text: string): Query<Row> {
      let statement: Database.Statement | undefined;
      const prepare = () => {
        const made = connection().prepare(text);
        if (made.reader) made.raw(); // rows as arrays: as objects they would carry a `_metadata` of libsql's
        prepared.push(() => {
          statement = undefined;
        });
        statement = made;
        return made;
      };
      return {
        first: (...values) => (statement ?? prepare()).get(values) as Row | undefined,
        all: (...values) => (statement ?? prepare()).all(values) as Row[],
        run: (...values) => {
          const { changes, lastInsertRowid } = (statement ?? prepare()).run(values);
          return { changes, lastRow: Number(lastInsertRowid) };
        },
      };
    },
    close() {
      database?.close();
      database = undefined;
      // libsql lets go of the file when the last statement is collected, and until then a closed connection still works.
      for (const forget of prepared.splice(0)) forget();
    },
  };
}

export class SqlClosedError extends Error {}
