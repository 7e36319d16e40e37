import { closeSync, openSync, rmSync, statSync } from 'node:fs';
import { sleepSync } from './retry-busy.js';

const LOCK_POLL_MS = 10;
const LOCK_STALE_MS = 10_000;

/** Does work that makes or replaces the file, while no other process does. */
export function whileAlone<T>(file: string, work: () => T): T {
  const lock = `${file}.repair`;
  while (!take(lock)) sleepSync(LOCK_POLL_MS);
  try {
    return work();
  } finally {
    rmSync(lock, { force: true });
  }
}

function take(lock: string): boolean {
  try {
    closeSync(openSync(lock, 'wx', 0o600));
    return true;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    const takenAt = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (Date.now() - takenAt > LOCK_STALE_MS) rmSync(lock, { force: true }); // its owner died in the middle
    return false;
  }
}
