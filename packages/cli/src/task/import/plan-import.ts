import { type NewTask, orderByDependency } from '@devs/core';
import { freeId, slugOf } from '../make-task-id.js';
import type { Draft, ImportProblem } from './parse-json-tasks.js';

const TASKS_AT_ONCE = 1_000;

export interface PlannedTask {
  readonly line: number;
  readonly task: NewTask;
}

export type ImportPlan =
  | { readonly ok: true; readonly batches: readonly (readonly PlannedTask[])[]; readonly skipped: readonly string[] }
  | { readonly ok: false; readonly problems: readonly ImportProblem[] };

interface PlanDeps {
  /** Which of these ids the store knows. */
  readonly known: (ids: readonly string[]) => Promise<ReadonlySet<string>>;
  /** What the store would say against the task by itself; `undefined` when nothing. */
  readonly objection: (task: NewTask) => Promise<string | undefined>;
  readonly existing: 'refuse' | 'skip';
}

/**
 * Checks all drafts before any is stored, gives each an id, and splits them into batches. Each batch depends only on
 * itself and earlier ones.
 */
export async function planImport(drafts: readonly Draft[], deps: PlanDeps): Promise<ImportPlan> {
  const planned = await giveIds(drafts, deps);
  const problems: ImportProblem[] = [];
  for (const { line, task } of planned) {
    const problem = await deps.objection(task);
    if (problem !== undefined) problems.push({ line, problem });
  }
  if (problems.length > 0) return { ok: false, problems };

  const lineOf = new Map<string, number>();
  for (const { line, task } of planned) {
    const first = lineOf.get(task.id);
    if (first === undefined) lineOf.set(task.id, line);
    else problems.push({ line, problem: `the id ${task.id} is on line ${first} already` });
  }
  const dependencies = planned.flatMap(({ task }) => task.depends_on ?? []).filter((id) => !lineOf.has(id));
  const known = await deps.known([...new Set([...lineOf.keys(), ...dependencies])]);
  for (const { line, task } of planned) {
    if (known.has(task.id) && deps.existing === 'refuse') {
      problems.push({ line, problem: `there is a task ${task.id} already; --skip-existing leaves such lines out` });
    }
    const missing = (task.depends_on ?? []).filter((id) => !lineOf.has(id) && !known.has(id));
    if (missing.length > 0)
      problems.push({ line, problem: `it depends on ${missing.join(', ')}, which does not exist` });
  }
  const order = orderByDependency(planned.map(({ task }) => task).filter(({ id }) => !known.has(id)));
  if (!order.ok)
    problems.push({ line: lineOf.get(order.circle[0] ?? '') ?? 0, problem: `a circle: ${order.circle.join(' → ')}` });
  if (problems.length > 0 || !order.ok) return { ok: false, problems: problems.sort((a, b) => a.line - b.line) };

  const batches: PlannedTask[][] = [];
  const ordered = order.items.map((task) => ({ line: lineOf.get(task.id) ?? 0, task }));
  for (let from = 0; from < ordered.length; from += TASKS_AT_ONCE) {
    batches.push(ordered.slice(from, from + TASKS_AT_ONCE));
  }
  return { ok: true, batches, skipped: planned.flatMap(({ task }) => (known.has(task.id) ? [task.id] : [])) };
}

/** The ids that the file names come first; those that are made from intents stay clear of them, and of the store's. */
async function giveIds(drafts: readonly Draft[], { known, existing }: PlanDeps): Promise<PlannedTask[]> {
  const taken = new Set(drafts.flatMap(({ task }) => task.id ?? []));
  const planned: PlannedTask[] = [];
  for (const { line, task } of drafts) {
    if (task.id !== undefined) {
      planned.push({ line, task: { ...task, id: task.id } });
      continue;
    }
    // To skip what exists, a line must get the same id as when it was imported before.
    const isTaken = async (id: string) => taken.has(id) || (existing === 'refuse' && (await known([id])).has(id));
    const id = await freeId(slugOf(task.intent), isTaken);
    taken.add(id);
    planned.push({ line, task: { ...task, id } });
  }
  return planned;
}
