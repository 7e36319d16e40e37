import type { StoredEvent } from '../ports/event-log.js';
import type { StuckKind } from '../run/run-event.js';
import type { StepContextAction } from '../workflow/types.js';
import type { ReportContextAction, ReportStep, RunReport } from './run-report.js';

type StepsPart = Pick<RunReport, 'steps' | 'contextActions' | 'stuck' | 'budgets' | 'pauses' | 'begun'>;

/** The run's own stream in order: steps with their durations, and events in between. */
export const reportSteps = (events: readonly StoredEvent[]): StepsPart => ({
  ...timedSteps(events),
  contextActions: contextActionsIn(events),
  stuck: allOf(events, 'stuck.noticed').map((event) => ({
    at: event.at,
    kind: textIn(event, 'kind') as StuckKind,
    detail: textIn(event, 'detail'),
  })),
  budgets: allOf(events, 'budget.reached').map((event) => ({
    at: event.at,
    budget: textIn(event, 'budget'),
    detail: textIn(event, 'detail'),
  })),
  pauses: allOf(events, 'run.paused').map((event) => ({ at: event.at, why: textIn(event, 'why') })),
  begun: allOf(events, 'run.begun').length,
});

const allOf = (events: readonly StoredEvent[], type: string) => events.filter((event) => event.type === type);

const textIn = ({ data }: StoredEvent, key: string): string => {
  const text = data[key];
  return typeof text === 'string' ? text : '';
};

/** Each step without the pauses in it, with what its agent says that it cost. */
function timedSteps(events: readonly StoredEvent[]): Pick<StepsPart, 'steps'> {
  const steps: Writable<ReportStep>[] = [];
  let begun = 0;
  let startedAt = events[0]?.at ?? 0;
  let pausedSince: number | undefined;
  let idleMs = 0;
  /** Counted right after a step has ended: it belongs to that step. */
  let isCountAwaited = false;
  let openUsd: number | undefined;

  for (const event of events) {
    const { type, data, at } = event;
    switch (type) {
      case 'run.begun':
        begun++;
        if (pausedSince !== undefined) idleMs += at - pausedSince;
        // Making the worktree is no part of the first step. A quick agent may finish that step before this is recorded.
        else if (begun === 1 && steps.length === 0) startedAt = at;
        pausedSince = undefined;
        break;
      case 'run.paused':
        pausedSince = at;
        break;
      case 'step.completed':
      case 'step.failed':
        steps.push({
          ...(type === 'step.completed'
            ? ended('done', textIn(event, 'output'))
            : ended('failed', textIn(event, 'reason'))),
          at: textIn(event, 'at'),
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
    }
  }
  return { steps };
}

function contextActionsIn(events: readonly StoredEvent[]): readonly ReportContextAction[] {
  const actions: Writable<ReportContextAction>[] = [];
  for (const event of events) {
    switch (event.type) {
      case 'context-action.asked':
      case 'context-action.requested': {
        const outcome = event.type === 'context-action.asked' ? 'asked' : 'open';
        actions.push({ at: event.at, action: textIn(event, 'action') as StepContextAction, outcome, detail: '' });
        break;
      }
      case 'context-action.observed':
        settleLast(actions, 'observed', textIn(event, 'evidence'));
        break;
      case 'context-action.abandoned':
        settleLast(actions, 'abandoned', textIn(event, 'reason'));
        break;
    }
  }
  return actions;
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
