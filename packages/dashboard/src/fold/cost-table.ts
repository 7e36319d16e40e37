import { reportRun, terminalsOfRun } from '@devs/core/folds';
import type { ProjectState, RunState } from './project-fold.js';
import { stepSpans } from './step-spans.js';

/** What a run has used, each call counted once, as the agent's own records say. */
export interface CostRow {
  readonly run: string;
  readonly project: string;
  readonly request: string;
  readonly task?: string;
  readonly at: number;
  readonly turns: number;
  readonly activeMs: number;
  readonly inputTokens: number;
  readonly cachedTokens: number;
  readonly outputTokens: number;
  readonly costUsd?: number;
  readonly reminders: { readonly count: number; readonly tokens: number };
}

/** Newest first. Pure. */
export const costRows = (projects: readonly ProjectState[]): readonly CostRow[] =>
  projects
    .flatMap((project) => [...project.runs.values()].map((run) => costRow(run, project)))
    .sort((a, b) => b.at - a.at);

function costRow(run: RunState, { root, terminals }: ProjectState): CostRow {
  const { facts, events } = run;
  const inside = new Map(terminalsOfRun(events).map((name) => [name, terminals.get(name) ?? []]));
  const { reinjections } = reportRun({ id: run.id, run: events, terminals: inside });
  return {
    run: run.id,
    project: root,
    request: facts.plan?.request ?? '',
    ...(facts.task === undefined ? {} : { task: facts.task.id }),
    at: facts.preparedAt ?? events[0]?.at ?? 0,
    ...facts.totals,
    reminders: { count: reinjections.count, tokens: reinjections.tokens },
  };
}

export interface DayCost {
  readonly day: string;
  readonly tokens: number;
  readonly costUsd: number;
  readonly activeMs: number;
}

/** What was counted on each day, oldest first; `dayOf` is the user's own calendar. Pure. */
export function costByDay(projects: readonly ProjectState[], dayOf: (at: number) => string): readonly DayCost[] {
  const days = new Map<string, DayCost>();
  for (const { runs } of projects)
    for (const { events } of runs.values())
      for (const { type, at, data } of events) {
        if (type !== 'usage.counted') continue;
        const day = dayOf(at);
        const before = days.get(day) ?? { day, tokens: 0, costUsd: 0, activeMs: 0 };
        const tokens = Number(data.inputTokens ?? 0) + Number(data.outputTokens ?? 0);
        days.set(day, {
          day,
          tokens: before.tokens + tokens,
          costUsd: before.costUsd + Number(data.costUsd ?? 0),
          activeMs: before.activeMs + Number(data.activeMs ?? 0),
        });
      }
  return [...days.values()].sort((a, b) => (a.day < b.day ? -1 : 1));
}

/** What one step of a workflow has used, in all runs. */
export interface StepCost {
  readonly workflow: string;
  readonly step: string;
  readonly times: number;
  readonly turns: number;
  readonly tokens: number;
  readonly costUsd?: number;
}

/** Steps that used most first; the tasks of a loop count as one step. Pure. */
export function costBySteps(projects: readonly ProjectState[]): readonly StepCost[] {
  const found = new Map<string, StepCost>();
  for (const { runs } of projects)
    for (const { facts, events } of runs.values())
      for (const span of stepSpans(events)) {
        const workflow = facts.plan?.workflow ?? '';
        const step = stepName(span.name);
        const before = found.get(`${workflow} ${step}`) ?? { workflow, step, times: 0, turns: 0, tokens: 0 };
        const costUsd = span.costUsd === undefined ? before.costUsd : (before.costUsd ?? 0) + span.costUsd;
        found.set(`${workflow} ${step}`, {
          ...before,
          times: before.times + 1,
          turns: before.turns + span.turns,
          tokens: before.tokens + span.inputTokens + span.outputTokens,
          ...(costUsd === undefined ? {} : { costUsd }),
        });
      }
  return [...found.values()].sort((a, b) => b.tokens - a.tokens);
}

/** `work.fix-login.verify` is `work › verify`: the task in between differs from run to run. */
function stepName(name: string): string {
  if (name === '') return 'not in a finished step';
  const parts = name.split(/(?<!\\)\./);
  return parts.length < 3 ? parts.join(' › ') : `${parts[0]} › ${parts.at(-1)}`;
}
