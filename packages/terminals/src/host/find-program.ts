import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';

/** Where a program is, as `execvp` would find it: a terminal that cannot start it would only say so on its screen. */
export function findProgram(
  file: string,
  { cwd, path }: { cwd: string; path: string | undefined },
): string | undefined {
  if (file.includes('/')) return [isAbsolute(file) ? file : resolve(cwd, file)].find(isProgram);
  return (path ?? '/usr/local/bin:/usr/bin:/bin')
    .split(delimiter)
    .map((folder) => join(resolve(cwd, folder), file))
    .find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
