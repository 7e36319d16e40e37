import type { RunFacts } from '../run/run-facts.js';
import type { RunReport } from './run-report.js';

/**
 * The commands to merge the work, run in the project's folder; as argument lists. Empty if it is already merged or in
 * place. git identifies a work tree by the last part of its path: the stored path may be redacted.
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
