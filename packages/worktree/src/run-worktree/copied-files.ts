import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChangedFile } from '../worktree.js';

/** In the git folder of this work tree only: the list of copied files, which are not the agent's work. */
const COPIED = 'devs-copied';

/** Paths from the top of the work tree. */
export const writeCopied = (gitFolder: string, paths: readonly string[]): Promise<void> =>
  writeFile(join(gitFolder, COPIED), paths.join('\0'));

/** Distinguishes copied files from the agent's work. A change to a tracked copy counts as work. */
export async function readCopied(gitFolder: string): Promise<(file: ChangedFile) => boolean> {
  const text = await readFile(join(gitFolder, COPIED), 'utf8').catch(() => ''); // of an earlier devs
  const paths = text.split('\0').filter((path) => path !== '');
  return ({ path, state }) =>
    state === 'untracked' && paths.some((copied) => path === copied || path.startsWith(`${copied}/`));
}
