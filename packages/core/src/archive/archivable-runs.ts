import type { RunFacts } from '../run/run-facts.js';
import type { ArchivedRun } from './archive-event.js';

export interface ArchiveRule {
  readonly now: number;
  /** Only runs that nothing happened to for so long. */
  readonly olderThanMs: number;
  /** Tasks that are not done begin at the work of these. */
  readonly awaited: ReadonlySet<string>;
}

/** Runs that the store no longer needs: long over, with no work that is neither merged nor awaited. Pure. */
export const archivableRuns = (runs: readonly RunFacts[], rule: ArchiveRule): readonly RunFacts[] =>
  runs.filter((run) => isOver(run, rule) && run.archived === undefined && !isAwaited(run, rule) && !hasOpenWork(run));

const isOver = ({ phase, lastEventAt = 0 }: RunFacts, { now, olderThanMs }: ArchiveRule): boolean =>
  phase.kind === 'finished' && lastEventAt <= now - olderThanMs;

const isAwaited = ({ task }: RunFacts, { awaited }: ArchiveRule): boolean => task !== undefined && awaited.has(task.id);

/** Commits on its branch that `devs merge` would bring. */
const hasOpenWork = ({ phase, merged, worktree, head }: RunFacts): boolean =>
  phase.kind === 'finished' &&
  phase.outcome === 'done' &&
  merged === undefined &&
  worktree?.branch !== undefined &&
  head !== worktree.base;

const MAX_REQUEST_CHARS = 200;

/** What stays of it in the store. Pure. */
export function toArchive({ id, phase, lastEventAt, merged, task, plan }: RunFacts): readonly ArchivedRun[] {
  if (plan === undefined) return [];
  const { workflow, agent, place } = plan;
  const request = plan.request.slice(0, MAX_REQUEST_CHARS);
  return [
    {
      id,
      phase,
      plan: { request, workflow, agent, place, ...(plan.task === undefined ? {} : { task: plan.task }) },
      ...(lastEventAt === undefined ? {} : { lastEventAt }),
      ...(merged === undefined ? {} : { merged }),
      ...(task === undefined ? {} : { task }),
    },
  ];
}
