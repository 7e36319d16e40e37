import type { RunEnd } from '../run.js';
import type { LeftTask } from './left-tasks.js';

export type TaskEnd =
  | RunEnd
  /** It could not be begun; it is blocked with the reason. */
  | { readonly status: 'refused'; readonly why: string }
  /** Something went wrong that has nothing to do with it; it is given back when the others are done. */
  | { readonly status: 'troubled'; readonly why: string; readonly isGeneral?: true }
  /** A live process works on it. */
  | { readonly status: 'held'; readonly by: string };

export interface QueueEnd {
  readonly done: readonly string[];
  readonly failed: readonly string[];
  /** With what only the user can see to, and what to type then. */
  readonly blocked: readonly { readonly taskId: string; readonly why: string; readonly advice: string }[];
  readonly paused: readonly string[];
  /** Tasks that were not started, and cannot be now: blocked before, claimed by another, or behind one of those. */
  readonly left: readonly LeftTask[];
  /** Why no more were begun though there are some, e.g. a budget. */
  readonly why?: string;
}

/** After a stopped run, or with the day's budget used up, no others are started; after a question they are. */
export function whyNoMore(how: TaskEnd): string | undefined {
  if (how.status === 'lost' || (how.status === 'troubled' && how.isGeneral)) return how.why;
  if (how.status !== 'paused' || how.escalation !== undefined) return undefined;
  return isOfTheRun(how.budget) ? undefined : how.why;
}

/** Another run may have enough; a budget of the day is used up for all, and there again tomorrow. */
export const isOfTheRun = (budget: string | undefined): boolean => budget !== undefined && !budget.startsWith('day.');

const isBlocking = ({ escalation, budget }: Extract<RunEnd, { status: 'paused' }>): boolean =>
  escalation !== undefined || isOfTheRun(budget);

/** What came of all tasks together. Pure. */
export function summary(ended: ReadonlyMap<string, TaskEnd>): Omit<QueueEnd, 'left' | 'why'> {
  const all = [...ended];
  const idsWhere = (isIt: (how: TaskEnd) => boolean) => all.filter(([, how]) => isIt(how)).map(([id]) => id);
  return {
    done: idsWhere((how) => how.status === 'finished' && how.outcome === 'done'),
    failed: idsWhere((how) => how.status === 'finished' && how.outcome !== 'done'),
    blocked: all.flatMap(([taskId, how]) => {
      const unblock = `devs task unblock ${taskId}`;
      if (how.status === 'refused') return [{ taskId, why: how.why, advice: unblock }];
      if (how.status !== 'paused' || !isBlocking(how)) return [];
      const { escalation, budget, why } = how;
      if (escalation === undefined) return [{ taskId, why, advice: `raise budget.${budget}, then: ${unblock}` }];
      const asked = `${escalation.question} ${escalation.diagnosis}`;
      return [{ taskId, why: asked, advice: `devs answer ${escalation.id} "…"` }];
    }),
    paused: idsWhere((how) => how.status === 'lost' || (how.status === 'paused' && !isBlocking(how))),
  };
}
