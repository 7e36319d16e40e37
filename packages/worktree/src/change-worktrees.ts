import { realpath } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { holdFile } from './hold-file.js';
import type { NotRead } from './locate-worktree.js';
import { printGit } from './print-git.js';
import type { Git } from './run-git.js';

const LOCK = 'devs-worktrees.lock';
/** Longer than all that waits for a slow disk before us. */
const WAIT_MS = 120_000;

export interface ChangeRequest {
  readonly git: Git;
  readonly root: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Changes the list of work trees, one process at a time in the whole repository: `git worktree add` and `git branch -d` fail
 * where they meet a work tree that another process has half made.
 */
export async function changeWorktrees<T>(
  { git, root, signal }: ChangeRequest,
  change: () => Promise<T>,
): Promise<T | NotRead> {
  const common = await commonFolder(git, root);
  if (common === undefined) return { outcome: 'no-repository' };
  const file = join(common, LOCK);
  const held = await holdFile({ file, host: hostname(), waitMs: WAIT_MS, signal });
  switch (held.outcome) {
    case 'cancelled':
      return { outcome: 'cancelled' };
    case 'failed':
      return { outcome: 'failed', message: `${file} cannot be written: ${held.message}` };
    case 'busy':
      return {
        outcome: 'failed',
        message: `another devs process (${held.by}) is changing the work trees of this repository. If it is gone, remove ${file}`,
      };
    case 'held':
      try {
        return await change();
      } finally {
        await held.release();
      }
  }
}

/** Where git keeps what all work trees of the repository share. */
export async function commonFolder(git: Git, root: string): Promise<string | undefined> {
  const printed = await printGit(git, ['rev-parse', '--git-common-dir']);
  if (printed.outcome !== 'printed') return undefined;
  return realpath(resolve(root, printed.text.replace(/\n$/, ''))).catch(() => undefined);
}
