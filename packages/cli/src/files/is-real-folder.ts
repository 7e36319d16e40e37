import { lstatSync } from 'node:fs';

/** Whether a folder is there itself, and not a link to one: a repository may bring links that lead to other people's files. */
export const isRealFolder = (path: string): boolean =>
  lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
