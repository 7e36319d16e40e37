import Database from 'libsql';
import { SqlClosedError } from './store-failure.js';

export interface ConnectionOptions {
  /** How long a statement may wait for another process. Blocks the event loop. */
  readonly busyMs: number;
  /** Said to each connection before its first use. */
  readonly pragmas?: readonly string[];
}

/** A connection of libsql's with its prepared statements. Where it is replaced, the next one is made at the next use. */
export interface ReplaceableConnection {
  exec(text: string): void;
  /** Prepared at the first use, then kept until it fails. */
  use<T>(text: string, how: (statement: Database.Statement) => T): T;
  replace(): void;
  /** Grows with each replacement. */
  generation(): number;
  close(): void;
}

export function openReplaceableConnection(
  file: string,
  { busyMs, pragmas = [] }: ConnectionOptions,
): ReplaceableConnection {
  let isClosed = false;
  let database: Database.Database | undefined;
  let statements = new Map<string, Database.Statement>();
  let generation = 0;

  function connection(): Database.Database {
    if (isClosed) throw new SqlClosedError();
    if (database === undefined) {
      database = new Database(file, { timeout: busyMs });
      for (const pragma of pragmas) database.exec(`PRAGMA ${pragma}`);
    }
    return database;
  }
  function prepared(text: string): Database.Statement {
    const known = statements.get(text);
    if (known !== undefined) return known;
    const made = connection().prepare(text);
    if (made.reader) made.raw(); // rows as arrays: as objects they would carry a `_metadata` of libsql's
    statements.set(text, made);
    return made;
  }
  /** libsql releases the file when its last statement is collected; until then a closed connection still works. */
  function replace(): void {
    database?.close();
    database = undefined;
    statements = new Map();
    generation++;
  }

  connection();
  return {
    exec: (text) => void connection().exec(text),
    use(text, how) {
      try {
        return how(prepared(text));
      } catch (error) {
        statements.delete(text);
        throw error;
      }
    },
    replace,
    generation: () => generation,
    close() {
      replace();
      isClosed = true;
    },
  };
}
