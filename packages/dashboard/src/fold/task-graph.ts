import { type TaskRecord, unmetNeeds } from '@devs/core/folds';

/** A task with why it stands where it does. */
export interface TaskView extends TaskRecord {
  readonly why: string;
  /** How many others wait for it, directly or not. */
  readonly frees: number;
}

/** What else is known about why tasks wait. */
export interface TaskSigns {
  /** Why the run of a task does not work on, by the task. */
  readonly held?: ReadonlyMap<string, string>;
  /** Who could take a task; missing where that is not known. */
  readonly machines?: readonly { readonly labels: readonly string[]; readonly agents: readonly string[] }[];
}

/** Pure. */
export function taskViews(tasks: ReadonlyMap<string, TaskRecord>, signs: TaskSigns = {}): readonly TaskView[] {
  const waiting = dependentsOf(tasks);
  const unmet = signs.machines === undefined ? [] : unmetNeeds([...tasks.values()], signs.machines);
  const missing = new Map(unmet.map(({ task, needs }) => [task, needs]));
  const why = (task: TaskRecord) => {
    const isTaken = task.status === 'in_progress' || task.status === 'blocked';
    const held = isTaken ? signs.held?.get(task.id) : undefined;
    const needs = task.open_dependencies.length === 0 ? missing.get(task.id) : undefined;
    return held ?? (needs === undefined ? whyOf(task, tasks) : `nobody has ${needs.join(' and ')}`);
  };
  return [...tasks.values()]
    .map((task) => ({ ...task, why: why(task), frees: reachable(task.id, waiting).size }))
    .sort((a, b) => b.priority - a.priority || a.added_at - b.added_at);
}

function whyOf(task: TaskRecord, tasks: ReadonlyMap<string, TaskRecord>): string {
  switch (task.status) {
    case 'blocked':
      return `blocked: ${task.reason ?? 'no reason given'}`;
    case 'failed':
      return `failed: ${task.reason ?? ''}`;
    case 'in_progress':
      return `at work: ${task.lease?.by ?? 'somebody'}`;
    case 'done':
      return task.result ?? 'done';
    case 'pending': {
      const open = task.open_dependencies;
      if (open.length === 0) return 'may begin';
      const stuck = open.find((id) => ['failed', 'blocked'].includes(tasks.get(id)?.status ?? ''));
      if (stuck !== undefined) return `waits for ${stuck}, which is ${tasks.get(stuck)?.status}`;
      return `waits for ${open.join(', ')}`;
    }
  }
}

/** Which tasks wait for each. Pure. */
export function dependentsOf(tasks: ReadonlyMap<string, TaskRecord>): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { id, open_dependencies } of tasks.values())
    for (const on of open_dependencies) found.set(on, [...(found.get(on) ?? []), id]);
  return found;
}

/** Everything that edges lead to from here. Pure. */
export function reachable(from: string, edges: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const seen = new Set<string>();
  const look = [from];
  for (let id = look.pop(); id !== undefined; id = look.pop())
    for (const next of edges.get(id) ?? [])
      if (!seen.has(next)) {
        seen.add(next);
        look.push(next);
      }
  return seen;
}

/** The longest row of open tasks that wait for each other: nothing is over before it is. Pure. */
export function criticalPath(tasks: ReadonlyMap<string, TaskRecord>): readonly string[] {
  const known = new Map<string, readonly string[]>();
  const pathTo = (id: string): readonly string[] => {
    const found = known.get(id);
    if (found !== undefined) return found;
    known.set(id, [id]); // a circle, which no store accepts, ends here
    const open = tasks.get(id)?.open_dependencies ?? [];
    const longest = open.map(pathTo).reduce((a, b) => (b.length > a.length ? b : a), []);
    const path = [...longest, id];
    known.set(id, path);
    return path;
  };
  return [...tasks.values()]
    .filter(({ status }) => status !== 'done')
    .map(({ id }) => pathTo(id))
    .reduce((a, b) => (b.length > a.length ? b : a), []);
}
