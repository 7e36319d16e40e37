import { closeSync, fstatSync, fsync, ftruncateSync, openSync, statfsSync, writeSync } from 'node:fs';
import type { Sql } from './sql.js';
import { isBusy } from './store-failure.js';

/** The length at which SQLite restarts its log: 1,000 pages, each with a header. */
const LOG_BYTES = 32 + 1_000 * (4_096 + 24) + 64 * 1_024;
/** A command that stores a few things and ends is not worth it. */
const COMMITS_BEFORE = 8;
/** On a disk that is nearly full the room is needed for other things. */
const MIN_FREE_BYTES = 256 << 20;

/**
 * Grows the -wal to its final length ahead of time, for a long-lived process. A commit that lengthens the file also
 * waits for the file system's own journal, which takes about twice as long as overwriting.
 *
 * SQLite stops reading its log at the first page with an outdated salt, so zeros behind the end change nothing.
 * Returns a function to call after each commit. It never fails: a short log is only slower.
 */
export function createLogLengthener(sql: Sql, file: string): () => void {
  let commits = 0;

  function lengthenAlone(): void {
    try {
      sql.transaction(() => lengthen(`${file}-wal`)); // the transaction keeps out concurrent appends
    } catch (error) {
      if (isBusy(error)) commits = 0; // the file is busy: try again later. Any other error will show in the commits.
    }
  }

  return () => {
    commits++;
    if (commits === COMMITS_BEFORE) setImmediate(lengthenAlone); // after the caller of this commit was answered
  };
}

function lengthen(log: string): void {
  const { bavail, bsize } = statfsSync(log);
  if (bavail * bsize < MIN_FREE_BYTES) return;
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
