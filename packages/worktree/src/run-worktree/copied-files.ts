import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChangedFile } from '../worktree.js';

/** In the git folder of the work tree alone: what was copied into it, which is nobody's work. */
const COPIED = 'devs-copied';

/** Paths from the top of the work tree. */
export const writeCopied = (gitFolder: string, paths: readonly string[]): Promise<void> =>
  writeFile(join(gitFolder, COPIED), paths.join('\0'));

/** Tells what was copied into the work tree from what was done in it. Where a copied file is tracked, a change of it is work. */
export async function readCopied(gitFolder: string): Promise<(file: ChangedFile) => boolean> {
  const text = await readFile(join(gitFolder, COPIED), 'utf8').catch(() => ''); // of an earlier devs
  const paths = text.split('\0').filter((path) => path !== '');
  return ({ path, state }) =>
    state === 'untracked' && paths.some((copied) => path === copied || path.startsWith(`${copied}/`));
}
