import type { NeededWork, RunFacts, RunPlan } from '@devs/core';
import { runBranch } from '@devs/worktree';

/**
 * Where the branch of a task's run starts: at the work of its dependencies, which may not be merged yet. Without any:
 * at the user's checkout, which also has work done without a run. All dependencies are done, and so is their work,
 * though a run may not have recorded its end yet. Work of another clone is needed by commit. Pure.
 */
export function workToBeginAt(
  dependencies: readonly string[],
  runs: readonly RunFacts[],
  clone: string | undefined,
): Pick<RunPlan, 'from' | 'needs'> {
  const before = dependencies.flatMap((taskId) => {
    const own = runs.filter(({ plan }) => plan?.task?.id === taskId);
    const run = own.findLast(({ phase }) => isDone(phase)) ?? own.findLast(isBeingFinished);
    return run === undefined ? [] : [run];
  });
  const isElsewhere = ({ begun }: RunFacts) =>
    clone !== undefined && begun?.clone !== undefined && begun.clone !== clone;
  const needs = before.filter(isElsewhere).flatMap(neededWork);
  const branches = before
    .filter((run) => !isElsewhere(run) && !isHere(run))
    .map(({ id }) => `refs/heads/${runBranch(id)}`);
  const found = branches.length + needs.length;
  if (found === 0) return {};
  const from = found < dependencies.length ? ['HEAD', ...branches] : branches;
  return { ...(from.length === 0 ? {} : { from }), ...(needs.length === 0 ? {} : { needs }) };
}

const isHere = ({ merged, worktree }: RunFacts) => merged !== undefined || worktree?.branch === undefined;

/** What it has merged it has brought to the branch of its user, which others fetch. */
function neededWork({ merged, worktree, head }: RunFacts): readonly NeededWork[] {
  if (merged !== undefined) return [{ commit: merged.commit, branch: merged.into }];
  if (head === undefined) return [];
  return [{ commit: head, ...(worktree?.branch === undefined ? {} : { branch: worktree.branch }) }];
}

/** All that it did is on its branch by then. */
const isBeingFinished = ({ phase, left }: RunFacts): boolean => phase.kind !== 'finished' && left !== undefined;

const isDone = (phase: RunFacts['phase']): boolean => phase.kind === 'finished' && phase.outcome === 'done';
