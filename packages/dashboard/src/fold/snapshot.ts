import type { ProjectState } from './project-fold.js';

/** Everything that the page has folded of a project, as JSON: for bug reports, and to compare it with the log itself. Pure. */
export const snapshotOf = ({
  root,
  position,
  at,
  runs,
  tasks,
  terminals,
}: ProjectState): Readonly<Record<string, unknown>> => ({
  root,
  position,
  at: at ?? null,
  runs: [...runs.values()].map(({ id, facts, events, workflow }) => ({
    id,
    facts,
    events,
    workflow: workflow === undefined ? null : { template: workflow.template, state: workflow.state },
  })),
  tasks: [...tasks.values()],
  terminals: [...terminals].map(([name, events]) => ({ name, events })),
});
