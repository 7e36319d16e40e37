import { existsSync, renameSync, statSync } from 'node:fs';
import { whileAlone } from './while-alone.js';

/** SQLite keeps the newest changes in -wal and finds it again by its name. */
const PARTS = ['-wal', '-shm', ''] as const;
const SMALLEST_PAGE_BYTES = 512;

/**
 * What SQLite would take for a new database and overwrite: a file shorter than its header, and a log without its database,
 * which holds the newest changes.
 */
export function looksDamaged(file: string): boolean {
  const bytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const logBytes = statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  return bytes === 0 ? logBytes > 0 : bytes < SMALLEST_PAGE_BYTES;
}

/**
 * Renames the file, with its -wal and -shm, to `<file>.damaged-<time>` and returns that name; `undefined` when another
 * process has done so already. One process at a time, or the second would put the first one's fresh file aside.
 */
export function keepDamagedAside(
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
