import type { RunFacts } from '../run/run-facts.js';
import type { RunReport } from './run-report.js';

/**
 * What to run, in the project's folder, to have the work on one's own branch; as argument lists. Nothing where it is there already,
 * or was merged. git knows a work tree by the last part of its path: what is stored of that may be redacted.
 */
export function howToMerge(
  { id, plan, merged, commits }: RunFacts,
  worktree: RunReport['worktree'],
): readonly (readonly string[])[] {
  const { branch, path } = worktree ?? {};
  if (branch === undefined || merged !== undefined || plan?.place === 'here') return [];
  if (commits.length === 0) return path === undefined ? [] : [['git', '-C', path, 'status']];
  return [['git', 'merge', branch], ...(path === undefined ? [] : [['git', 'worktree', 'remove', id]])];
}
