import type { StoredEvent } from '../ports/event-log.js';
import type { StuckKind } from '../run/run-event.js';
import type { StepContextAction } from '../workflow/types.js';
import type { ReportContextAction, ReportStep, RunReport } from './run-report.js';

type StepsPart = Pick<RunReport, 'steps' | 'contextActions' | 'stuck' | 'budgets' | 'pauses' | 'begun'>;

/** The run's own stream in order: steps with their durations, and events in between. */
export function reportSteps(events: readonly StoredEvent[]): StepsPart {
  const steps: Writable<ReportStep>[] = [];
  const contextActions: Writable<ReportContextAction>[] = [];
  const stuck: { at: number; kind: StuckKind; detail: string }[] = [];
  const budgets: { at: number; budget: string; detail: string }[] = [];
  const pauses: { at: number; why: string }[] = [];
  let begun = 0;
  let startedAt = events[0]?.at ?? 0;
  let pausedSince: number | undefined;
  let idleMs = 0;
  /** Counted right after a step has ended: it belongs to that step. */
  let isCountAwaited = false;
  let openUsd: number | undefined;

  for (const { type, data, at } of events) {
    const text = (key: string) => (typeof data[key] === 'string' ? (data[key] as string) : '');
    switch (type) {
      case 'run.begun':
        begun++;
        if (pausedSince !== undefined) idleMs += at - pausedSince;
        // Making the worktree is no part of the first step. A quick agent may finish that step before this is recorded.
        else if (begun === 1 && steps.length === 0) startedAt = at;
        pausedSince = undefined;
        break;
      case 'run.paused':
        pauses.push({ at, why: text('why') });
        pausedSince = at;
        break;
      case 'step.completed':
      case 'step.failed':
        steps.push({
          ...(type === 'step.completed' ? ended('done', text('output')) : ended('failed', text('reason'))),
          at: text('at'),
          ...timesOf(startedAt, at, idleMs),
          ...(openUsd === undefined ? {} : { costUsd: openUsd }),
        });
        [startedAt, idleMs, openUsd, isCountAwaited] = [at, 0, undefined, true];
        break;
      case 'usage.counted': {
        const last = isCountAwaited ? steps.at(-1) : undefined;
        const usd = typeof data.costUsd === 'number' ? data.costUsd : undefined;
        if (usd !== undefined && last !== undefined) last.costUsd = (last.costUsd ?? 0) + usd;
        else if (usd !== undefined) openUsd = (openUsd ?? 0) + usd;
        isCountAwaited = false;
        break;
      }
      case 'context-action.asked':
      case 'context-action.requested': {
        const outcome = type === 'context-action.asked' ? 'asked' : 'open';
        contextActions.push({ at, action: text('action') as StepContextAction, outcome, detail: '' });
        break;
      }
      case 'context-action.observed':
        settleLast(contextActions, 'observed', text('evidence'));
        break;
      case 'context-action.abandoned':
        settleLast(contextActions, 'abandoned', text('reason'));
        break;
      case 'stuck.noticed':
        stuck.push({ at, kind: text('kind') as StuckKind, detail: text('detail') });
        break;
      case 'budget.reached':
        budgets.push({ at, budget: text('budget'), detail: text('detail') });
        break;
      default:
        break;
    }
  }
  return { steps, contextActions, stuck, budgets, pauses, begun };
}

function settleLast(
  actions: readonly Writable<ReportContextAction>[],
  outcome: ReportContextAction['outcome'],
  detail: string,
): void {
  const last = actions.at(-1);
  if (last !== undefined) [last.outcome, last.detail] = [outcome, detail];
}

const ended = (status: ReportStep['status'], said: string) => ({ status, said });

const timesOf = (startedAt: number, endedAt: number, idleMs: number) => ({
  startedAt,
  endedAt,
  workMs: Math.max(0, endedAt - startedAt - idleMs),
});

type Writable<T> = { -readonly [K in keyof T]: T[K] };
