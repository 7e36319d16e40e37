import { constants, copyFile, cp, lstat, mkdir } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';

/** Copies what git ignores and the work needs, such as `.env`, and says what could not be copied. Keeps what is there already. */
export async function copyIgnored(from: string, to: string, paths: readonly string[]): Promise<readonly string[]> {
  const notes: string[] = [];
  for (const path of paths) {
    if (!isInside(from, path)) {
      notes.push(`${path} was not copied: it is outside the project`);
      continue;
    }
    const found = await lstat(join(from, path)).catch(() => undefined);
    if (found === undefined) continue; // not everybody has one
    const target = join(to, path);
    try {
      await mkdir(dirname(target), { recursive: true });
      if (found.isDirectory())
        await cp(join(from, path), target, { recursive: true, force: false, errorOnExist: false });
      else if (found.isFile()) await copyOnce(join(from, path), target);
      else notes.push(`${path} was not copied: it is neither a file nor a folder`);
    } catch (error) {
      notes.push(`${path} was not copied: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return notes;
}

const copyOnce = (from: string, to: string) =>
  copyFile(from, to, constants.COPYFILE_EXCL).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, resolve(folder, path));
  return way !== '' && !isAbsolute(way) && !way.startsWith('..') && !isAbsolute(path);
}
