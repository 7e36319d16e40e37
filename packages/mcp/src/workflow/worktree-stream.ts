import { createHash } from 'node:crypto';
import { relative } from 'node:path';

interface WorktreePlace {
  /** Both absolute, without links. */
  readonly worktree: string;
  readonly repoRoot: string;
  /** The machine, where the store is shared by several: the same path is another folder on each. */
  readonly host?: string;
}

/**
 * The stream that knows the runs of a worktree. In a store of the project's own it goes by the way from the project's root, so
 * that a project that was moved still has its runs.
 */
export function worktreeStream({ worktree, repoRoot, host }: WorktreePlace): string {
  const place = host === undefined ? relative(repoRoot, worktree) || '.' : `${host}:${worktree}`;
  return `worktree:${createHash('sha256').update(place).digest('hex').slice(0, 12)}`;
}
