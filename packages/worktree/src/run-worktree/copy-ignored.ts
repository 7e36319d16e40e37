import { constants, copyFile, cp, lstat, mkdir, realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { messageOf } from '@devs/core';

export interface Copied {
  /** As they are in the list; also such as were there already. */
  readonly paths: readonly string[];
  /** What could not be copied, as sentences. */
  readonly notes: readonly string[];
}

/** Copies ignored files that the work needs, such as `.env`. Keeps existing files and writes only inside `to`. */
export async function copyIgnored(from: string, to: string, list: readonly string[]): Promise<Copied> {
  const paths: string[] = [];
  const notes: string[] = [];
  for (const path of list) {
    const why = await copyOne(from, to, path).catch((error: unknown) => messageOf(error));
    if (why === 'nothing there') continue; // not everybody has one
    if (why === undefined) paths.push(path);
    else notes.push(`${path} was not copied: ${why}`);
  }
  return { paths, notes };
}

/** Why it was not copied. */
async function copyOne(from: string, to: string, path: string): Promise<string | undefined> {
  if (isAbsolute(path) || !isBelow(from, resolve(from, path))) return 'it is outside the project';
  const found = await lstat(join(from, path)).catch(() => undefined);
  if (found === undefined) return 'nothing there';
  const source = await realpath(join(from, path));
  if (!isBelow(await realpath(from), source)) return 'it is a link to something outside the project';
  const target = join(to, path);
  // A link that is tracked may lead anywhere.
  if (!isWithin(await realpath(to), await realFolder(dirname(target))))
    return 'its folder is a link out of the work tree';
  const kind = await stat(source);
  if (!kind.isDirectory() && !kind.isFile()) return 'it is neither a file nor a folder';
  await mkdir(dirname(target), { recursive: true });
  if (kind.isFile()) await copyOnce(source, target);
  // A link in it leads to the same place of the copy, as in node_modules of a workspace.
  else await cp(source, target, { recursive: true, force: false, errorOnExist: false, verbatimSymlinks: true });
  return undefined;
}

const copyOnce = (from: string, to: string) =>
  copyFile(from, to, constants.COPYFILE_EXCL).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });

/** Where a folder is, or would be. */
async function realFolder(folder: string): Promise<string> {
  const there = await lstat(folder).catch(() => undefined);
  if (there !== undefined) return realpath(folder); // rejects for a link to nothing
  return join(await realFolder(dirname(folder)), relative(dirname(folder), folder));
}

const isWithin = (folder: string, path: string): boolean => path === folder || isBelow(folder, path);

function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
