import {
  chmodSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { StoreUnavailableError } from '@devs/core';
import { migrate, type Schema, versionOf } from './migrations.js';
import { retryBusySync, sleepSync } from './retry-busy.js';
import { openSql, type Sql } from './sql.js';
import { asUnavailable, DamagedFileError, isDamage } from './store-failure.js';

const LOCK_POLL_MS = 10;
const LOCK_STALE_MS = 10_000;

/** Does work that makes or replaces the file, while no other process does. */
function whileAlone<T>(file: string, work: () => T): T {
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

/** SQLite keeps the newest changes in -wal and finds it again by its name. */
const PARTS = ['-wal', '-shm', ''] as const;
const SMALLEST_PAGE_BYTES = 512;

/**
 * What SQLite would take for a new database and overwrite: a file shorter than its header, and a log without its database,
 * which holds the newest changes.
 */
function looksDamaged(file: string): boolean {
  const bytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const logBytes = statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  return bytes === 0 ? logBytes > 0 : bytes < SMALLEST_PAGE_BYTES;
}

/**
 * Renames the file, with its -wal and -shm, to `<file>.damaged-<time>` and returns that name; `undefined` when another
 * process has done so already. One process at a time, or the second would put the first one's fresh file aside.
 */
function keepDamagedAside(
  file: string,
  { now, isDamaged }: { readonly now: () => number; readonly isDamaged: () => boolean },
): string | undefined {
  return whileAlone(file, () => {
    if (!isDamaged()) return undefined;
    const kept = freeName(`${file}.damaged-${new Date(now()).toISOString().replaceAll(/[:.]/g, '-')}`);
    for (const part of PARTS) {
      if (existsSync(`${file}${part}`)) renameSync(`${file}${part}`, `${kept}${part}`);
    }
    return kept;
  });
}

function freeName(wanted: string): string {
  let name = wanted;
  for (let count = 2; PARTS.some((part) => existsSync(`${name}${part}`)); count++) name = `${wanted}-${count}`;
  return name;
}

/** Short, since it blocks the event loop. A caller that still finds the file busy retries without blocking. */
const BUSY_MS = 5;

/** A crafted file must not run anything through its schema, and acknowledged writes must be on the disk. */
const PRAGMAS = ['trusted_schema = OFF', 'synchronous = FULL'];

export interface Connection {
  readonly sql: Sql;
  /** Where a damaged file was moved. */
  readonly damagedKept?: string;
  /** The file existed but was empty: someone has emptied it. */
  readonly wasEmptied?: true;
}

/** Opens the file; creates or migrates it if needed. A damaged file is moved aside, never deleted. */
export function openConnection(
  file: string,
  { schema, now }: { readonly schema: Schema; readonly now: () => number },
): Connection {
  try {
    try {
      return bytesOf(file) > 0 ? { sql: open(file, schema) } : begin(file, schema);
    } catch (error) {
      if (!isDamage(error)) throw error;
    }
    const damagedKept = keepDamagedAside(file, { now, isDamaged: () => isDamagedStill(file, schema) });
    return { sql: open(file, schema), ...(damagedKept !== undefined && { damagedKept }) };
  } catch (error) {
    throw asUnavailable(error, file);
  }
}

/** Under the lock, so that an empty file was really emptied and is not just being filled by another process. */
function begin(file: string, schema: Schema): Connection {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  return whileAlone(file, () => {
    const wasEmptied = existsSync(file) && bytesOf(file) === 0;
    return { sql: open(file, schema), ...(wasEmptied && { wasEmptied }) };
  });
}

const bytesOf = (file: string) => lstatSync(file, { throwIfNoEntry: false })?.size ?? 0;

function open(file: string, schema: Schema): Sql {
  makeFile(file);
  return retryBusySync(() => {
    const sql = openSql(file, { busyMs: BUSY_MS, pragmas: PRAGMAS });
    try {
      versionOf(sql, file, schema);
      const [mode] = sql.query<[string]>('PRAGMA journal_mode = WAL').first() ?? [];
      if (mode !== 'wal')
        throw new StoreUnavailableError(`${file} is on a disk that cannot share it between processes.`);
      migrate(sql, file, schema);
      return sql;
    } catch (error) {
      sql.close();
      throw error;
    }
  });
}

function isDamagedStill(file: string, schema: Schema): boolean {
  try {
    open(file, schema).close();
    return false;
  } catch (error) {
    return isDamage(error);
  }
}

/**
 * SQLite gives its -wal and -shm the mode of the file. An existing file is never opened here: closing it again would
 * give up the locks that SQLite holds on it in this process.
 */
function makeFile(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found !== undefined && !found.isFile()) {
    const kind = found.isDirectory() ? 'a folder' : found.isSymbolicLink() ? 'a symbolic link' : 'no plain file';
    throw new StoreUnavailableError(`${file} is ${kind}: remove it, or choose another file with --store sqlite:FILE.`);
  }
  if (looksDamaged(file)) throw new DamagedFileError();
  if (found === undefined) create(file);
  else if ((found.mode & 0o077) !== 0) chmodSync(file, 0o600);
}

function create(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error; // another was faster
  }
}
