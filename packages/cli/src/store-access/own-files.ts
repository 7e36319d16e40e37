import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { HOOK_FOLDER } from '../hook/hook-files.js';
import type { ProjectPlace } from './records.js';

/** The files that hold the records of a place. Named exactly: with `--store` the folder may be anybody's, and full of other things. */
export async function listOwnFiles(place: ProjectPlace): Promise<readonly string[]> {
  const { file } = place;
  const folder = dirname(file);
  const name = basename(file);
  const own = new Set([name, `${name}-wal`, `${name}-shm`, `${name}-journal`]);
  if (isOwnFolder(place)) own.add('session-state.json');
  const namesIn = (where: string) => readdir(where).catch((): string[] => []);
  const files = (await namesIn(folder))
    .filter((other) => own.has(other) || other.startsWith(`${name}.damaged-`))
    .sort()
    .map((other) => join(folder, other));
  return isOwnFolder(place) ? [...files, ...(await hookFilesIn(folder, namesIn))] : files;
}

/** What hooks keep is theirs to the last file; the folder itself goes when it is empty. */
async function hookFilesIn(folder: string, namesIn: (where: string) => Promise<string[]>): Promise<readonly string[]> {
  const names = await namesIn(join(folder, HOOK_FOLDER));
  return names.sort().map((name) => join(folder, HOOK_FOLDER, name));
}

/** Whether the file is in the `.devs/` of its project. */
export const isOwnFolder = ({ root, file }: ProjectPlace) => dirname(file) === join(root, '.devs');
