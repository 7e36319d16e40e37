import { accessSync, constants, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { CliError } from '../cli-error.js';
import { visible } from '../screen/visible.js';

/** Advice for a user whose files or disk keep devs from working; `undefined` for other errors. */
export function adviceForSystemError(error: unknown): string | undefined {
  const { code, path } = error as NodeJS.ErrnoException;
  const where = typeof path === 'string' ? ` (${path})` : '';
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return `the disk is full${where}. Make room and try again; what was stored is stored.`;
    case 'EROFS':
      return `the folder is read-only${where}. Use a writable folder.`;
    case 'EACCES':
    case 'EPERM':
      return `permission denied${where}. Check with \`ls -ld\`, or work in another folder.`;
    case 'EMFILE':
    case 'ENFILE':
      return 'too many files are open. Close other programs, or raise the limit with `ulimit -n`.';
    default:
      return undefined;
  }
}

/** Throws where a folder that is not there yet could not be made. To make it would say that there is no such file. */
export function refuseUnwritable(folder: string, access: typeof accessSync = accessSync): void {
  let nearest = folder;
  while (!existsSync(nearest) && dirname(nearest) !== nearest) nearest = dirname(nearest);
  try {
    access(nearest, constants.W_OK);
  } catch (error) {
    const advice = adviceForSystemError(error);
    if (advice !== undefined)
      throw new CliError(`cannot write to ${visible(folder)}: ${visible(advice)}`, { cause: error });
  }
}
