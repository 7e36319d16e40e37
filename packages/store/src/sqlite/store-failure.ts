import { DevsError, messageOf, StoreUnavailableError } from '@devs/core';

/** SQLite's primary result codes. */
const BUSY = 5;
const LOCKED = 6;
const READONLY = 8;
const IO_ERROR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANNOT_OPEN = 14;
const NOT_A_DATABASE = 26;

const ELSEWHERE = 'or choose another place with --store sqlite:FILE';

/** Another process is writing at this moment: it passes. */
export const isBusy = (error: unknown) => [BUSY, LOCKED].includes(resultCode(error));

/** Found by us, where SQLite would not complain. */
export class DamagedFileError extends Error {
  readonly rawCode = CORRUPT;
}

/** The connection was closed by us. */
export class SqlClosedError extends Error {}

export const isDamage = (error: unknown) => [CORRUPT, NOT_A_DATABASE].includes(resultCode(error));

/** Any failure in the words of the port, with what to do about it. */
export function asUnavailable(error: unknown, file: string): DevsError {
  if (error instanceof DevsError) return error;
  return new StoreUnavailableError(explain(error, file), { cause: error });
}

function explain(error: unknown, file: string): string {
  if (error instanceof SqlClosedError) return `The store ${file} is closed.`;
  switch (systemCode(error)) {
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return notWritable(file);
    case 'ENOSPC':
    case 'EDQUOT':
      return full(file);
    case 'ENOTDIR':
    case 'EEXIST':
      return `The folder for ${file} cannot be made: a part of the path is a file. Remove it, ${ELSEWHERE}.`;
  }
  switch (resultCode(error)) {
    case BUSY:
    case LOCKED:
      return `${file} has been locked by another process for too long. Look for a program that holds it open (a backup, a database browser), and try again.`;
    case READONLY:
    case CANNOT_OPEN:
      return notWritable(file);
    case FULL:
      return full(file);
    case IO_ERROR:
      return `${file} could not be read or written: the disk may be full or failing. Check it, and try again; what was acknowledged is safe.`;
    case CORRUPT:
    case NOT_A_DATABASE:
      return `${file} is damaged. Stop every devs, move it aside together with ${file}-wal and ${file}-shm, and start again.`;
  }
  return `${file} cannot be used: ${messageOf(error)}`;
}

const notWritable = (file: string) =>
  `${file} cannot be written: make the file and its folder writable for you, ${ELSEWHERE}.`;

const full = (file: string) => `No space left for ${file}: free some, and try again; what was acknowledged is safe.`;

function resultCode(error: unknown): number {
  if (!(error instanceof Error)) return 0;
  if ('rawCode' in error && typeof error.rawCode === 'number') return error.rawCode & 0xff;
  // A connection that cannot be made has its code in the text only.
  return Number(/^ConnectionFailed\(.*: (\d+)"\)$/s.exec(error.message)?.[1] ?? 0) & 0xff;
}

const systemCode = (error: unknown) =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
