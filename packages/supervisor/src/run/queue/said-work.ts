import type { RunFacts, SaidWork, TaskRecord } from '@devs/core';
import { runRef, taskBaseRef } from '@devs/worktree';

/**
 * The commits that the run of a task begins at on any machine: the pushed work of what it depends on, and the commit
 * that it was added at. `undefined` where none was said. Pure.
 */
export function saidWork(
  { depends_on, base }: Pick<TaskRecord, 'depends_on' | 'base'>,
  runs: readonly RunFacts[],
): readonly SaidWork[] | undefined {
  const ofBase = base === undefined ? [] : [{ commit: base, ref: taskBaseRef(base) }];
  const before = depends_on.flatMap((taskId): readonly SaidWork[] => {
    const own = runs.filter(({ plan }) => plan?.task?.id === taskId);
    const run = own.findLast(isDone) ?? own.findLast(({ pushed, left }) => pushed !== undefined && left !== undefined);
    return run === undefined ? [] : workOf(run, base);
  });
  const said = [...before, ...ofBase];
  return said.length === 0 ? undefined : said;
}

/** Merged work whose ref was removed is part of a commit that was added later, or nowhere. */
function workOf(
  { id, pushed, merged, isDropped, head, worktree }: RunFacts,
  base: string | undefined,
): readonly SaidWork[] {
  if (isDropped && merged !== undefined)
    return [{ commit: merged.commit, ref: base === undefined ? runRef(id) : taskBaseRef(base) }];
  const commit = pushed?.commit ?? head;
  return commit === undefined || worktree?.branch === undefined ? [] : [{ commit, ref: runRef(id) }];
}

const isDone = ({ phase }: RunFacts): boolean => phase.kind === 'finished' && phase.outcome === 'done';
