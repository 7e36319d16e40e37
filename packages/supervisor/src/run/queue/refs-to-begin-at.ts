import type { RunFacts } from '@devs/core';
import { runBranch } from '@devs/worktree';

/**
 * Where the branch of a task's run begins: at the work of the tasks that it depends on, which nobody may have merged yet. None:
 * at what the user has checked out, where also that is which was done without a run. All of them are done, and so is their work,
 * though a run may not have said yet that it is over. Pure.
 */
export function refsToBeginAt(dependencies: readonly string[], runs: readonly RunFacts[]): readonly string[] {
  const before = dependencies.flatMap((taskId) => {
    const own = runs.filter(({ plan }) => plan?.task?.id === taskId);
    const run = own.findLast(({ phase }) => isDone(phase)) ?? own.findLast(isBeingFinished);
    return run === undefined ? [] : [run];
  });
  const isHere = ({ merged, worktree }: RunFacts) => merged !== undefined || worktree?.branch === undefined;
  const branches = before.filter((run) => !isHere(run)).map(({ id }) => `refs/heads/${runBranch(id)}`);
  if (branches.length === 0) return [];
  return branches.length < dependencies.length ? ['HEAD', ...branches] : branches;
}

/** All that it did is on its branch by then. */
const isBeingFinished = ({ phase, left }: RunFacts): boolean => phase.kind !== 'finished' && left !== undefined;

const isDone = (phase: RunFacts['phase']): boolean => phase.kind === 'finished' && phase.outcome === 'done';
