import { lstat, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { printGit } from '../print-git.js';
import { retryLocked } from '../retry-locked.js';
import type { Git } from '../run-git.js';

/** Removes a work tree with all that is in it. git removes none whose link is broken, and forgets it when it is gone. */
export async function discardWorktree(git: Git, top: string): Promise<void> {
  await forget(git, top);
  await rm(top, { recursive: true, force: true });
  await forget(git, top);
}

/**
 * Makes git forget one work tree whose folder is gone. Unlike `git worktree prune`, it spares the user's own, which
 * may be on an unmounted drive.
 */
export async function forgetMissing(git: Git, top: string): Promise<void> {
  if ((await isMissing(top)) && !(await isMissing(dirname(top)))) await forget(git, top);
}

const forget = (git: Git, top: string) =>
  retryLocked(() => printGit(git, ['worktree', 'remove', '--force', '--force', top]));

const isMissing = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => false,
    (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
  );
