import { resolve } from 'node:path';

/** A path as an agent names it, from the folder of its conversation where that is known. */
export const within = (folder: string | undefined, path: string): string =>
  folder === undefined ? path : resolve(folder, path);
