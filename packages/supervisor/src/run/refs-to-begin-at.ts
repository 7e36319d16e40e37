import type { RunFacts } from '@devs/core';
import { runBranch } from '@devs/worktree';

/**
 * Where the branch of a task's run begins: at the work of the tasks that it depends on, which nobody may have merged yet. None:
 * at what the user has checked out. Pure.
 */
export function refsToBeginAt(dependencies: readonly string[], runs: readonly RunFacts[]): readonly string[] {
  const before = dependencies.flatMap((taskId) => {
    const run = runs.findLast(({ plan, phase }) => plan?.task?.id === taskId && isDone(phase));
    return run === undefined ? [] : [run];
  });
  const isHere = ({ merged, worktree }: RunFacts) => merged !== undefined || worktree?.branch === undefined;
  const branches = before.filter((run) => !isHere(run)).map(({ id }) => `refs/heads/${runBranch(id)}`);
  if (branches.length === 0) return [];
  return before.some(isHere) ? ['HEAD', ...branches] : branches;
}

const isDone = (phase: RunFacts['phase']): boolean => phase.kind === 'finished' && phase.outcome === 'done';
