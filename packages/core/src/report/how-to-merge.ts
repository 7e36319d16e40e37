import type { RunFacts } from '../run/run-facts.js';

/** What to run to have the work on one's own branch, as argument lists. Nothing where it is there already, or was merged. */
export function howToMerge({ worktree, plan, merged, commits }: RunFacts): readonly (readonly string[])[] {
  const { branch, path } = worktree ?? {};
  if (branch === undefined || path === undefined || merged !== undefined || plan?.place === 'here') return [];
  const look = ['git', '-C', path, 'status'];
  if (commits.length === 0) return [look];
  return [
    ['git', '-C', plan?.folder ?? '.', 'merge', branch],
    ['git', '-C', plan?.folder ?? '.', 'worktree', 'remove', path],
  ];
}
