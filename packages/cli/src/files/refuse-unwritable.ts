import { accessSync, constants, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { CliError } from '../cli-error.js';
import { visible } from '../screen/visible.js';
import { adviceForSystemError } from './system-error.js';

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
