import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isRealFolder } from '../files/is-real-folder.js';
import { HANDOFF_FOLDER } from '../handoff/handoff-folder.js';
import { OLD_HOOK_FOLDER } from '../hook/hook-folder.js';
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
  if (!isOwnFolder(place) || !isRealFolder(folder)) return files;
  const below = OWN_FOLDERS.filter((own) => isRealFolder(join(folder, own))).map(async (own) =>
    (await namesIn(join(folder, own))).sort().map((other) => join(folder, own, other)),
  );
  return [...files, ...(await Promise.all(below)).flat()];
}

/** Folders in `.devs/` that contain only our files; each is removed when it is empty. */
export const OWN_FOLDERS: readonly string[] = [HANDOFF_FOLDER, OLD_HOOK_FOLDER];

/** Whether the file is in the `.devs/` of its project. */
export const isOwnFolder = ({ root, file }: ProjectPlace) => dirname(file) === join(root, '.devs');
