import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { ProjectPlace } from './records.js';

/** The files that hold the records of a place. Named exactly: with `--store` the folder may be anybody's, and full of other things. */
export async function listOwnFiles(place: ProjectPlace): Promise<readonly string[]> {
  const { file } = place;
  const folder = dirname(file);
  const name = basename(file);
  const own = new Set([name, `${name}-wal`, `${name}-shm`, `${name}-journal`]);
  if (isOwnFolder(place)) own.add('session-state.json');
  const names = await readdir(folder).catch((): string[] => []);
  return names
    .filter((other) => own.has(other) || other.startsWith(`${name}.damaged-`))
    .sort()
    .map((other) => join(folder, other));
}

/** Whether the file is in the `.devs/` of its project. */
export const isOwnFolder = ({ root, file }: ProjectPlace) => dirname(file) === join(root, '.devs');
