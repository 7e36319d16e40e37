import { reportRun, terminalsOfRun } from '@devs/core/folds';
import type { ProjectState, RunState } from './project-fold.js';

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
