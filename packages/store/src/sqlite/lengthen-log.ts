import { closeSync, fstatSync, fsync, ftruncateSync, openSync, statfsSync, writeSync } from 'node:fs';
import type { Sql } from './sql.js';
import { isBusy } from './store-failure.js';

/** As long as SQLite lets its log become before it is written from the start again: 1,000 pages, with a header each. */
const LOG_BYTES = 32 + 1_000 * (4_096 + 24) + 64 * 1_024;
/** A command that stores a few things and ends is not worth it. */
const COMMITS_BEFORE = 8;
/** On a disk that is nearly full the room is needed for other things. */
const LEAST_FREE_BYTES = 256 << 20;

/**
 * Makes the -wal as long as it will become, for a process that stays. Every commit that makes the file longer waits for
 * the file system's own journal as well: about twice as long as one that writes over what is there.
 *
 * SQLite stops reading its log at the first page whose salt is not the current one, so zeros behind the end are no change.
 * Returns a function to call after each commit. It never fails: a log that stays short is only slower.
 */
export function createLogLengthener(sql: Sql, file: string): () => void {
  let commits = 0;

  function lengthenAlone(): void {
    try {
      sql.transaction(() => lengthen(`${file}-wal`)); // nobody appends meanwhile
    } catch (error) {
      if (isBusy(error)) commits = 0; // somebody does: later, then. Of everything else the commits will tell.
    }
  }

  return () => {
    commits++;
    if (commits === COMMITS_BEFORE) setImmediate(lengthenAlone); // after whoever waits for this commit was answered
  };
}

function lengthen(log: string): void {
  const { bavail, bsize } = statfsSync(log);
  if (bavail * bsize < LEAST_FREE_BYTES) return;
  // Unlike the database itself the log carries no locks, which closing it would give up.
  const open = openSync(log, 'r+');
  try {
    const { size } = fstatSync(open);
    const missing = LOG_BYTES - size;
    if (missing > 0 && writeSync(open, Buffer.alloc(missing), 0, missing, size) < missing) ftruncateSync(open, size);
  } catch (error) {
    closeSync(open);
    throw error;
  }
  fsync(open, () => closeSync(open)); // so that the next commit does not wait for all of it
}
