import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { removeFile } from '../host/host-record.js';
import { identifyProcess, isAlive } from '../processes/process-identity.js';

/**
 * The right to start a host in this folder, or to be its only process of some kind. A dead holder, known by pid and
 * start time, loses it.
 */
export interface StartLock {
  release(): void;
}

/** Returns the lock, or `undefined` while another process holds it. */
export function tryLock(folder: string, name = 'start.lock'): StartLock | undefined {
  const path = join(folder, name);
  const lock = take(path);
  if (lock !== undefined || !isStale(path)) return lock;
  // Two that see the same dead holder must not remove each other's lock: only one at a time may remove.
  const guard = take(`${path}.removal`);
  if (guard === undefined) {
    if (isStale(`${path}.removal`)) removeFile(`${path}.removal`);
    return undefined;
  }
  try {
    if (isStale(path)) removeFile(path);
    return take(path);
  } finally {
    guard.release();
  }
}

/** A link appears with its content or not at all, and only where nothing is yet. */
function take(path: string): StartLock | undefined {
  const draft = `${path}.${process.pid}-${randomUUID()}`;
  writeFileSync(draft, JSON.stringify(identifyProcess(process.pid)), { mode: 0o600 });
  try {
    linkSync(draft, path);
    return { release: () => removeFile(path) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return undefined;
    throw error;
  } finally {
    removeFile(draft);
  }
}

function isStale(path: string): boolean {
  try {
    const { pid, started } = JSON.parse(readFileSync(path, 'utf8')) as { pid: number; started: string };
    return !isAlive({ pid, started });
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT'; // not a lock file of ours
  }
}
