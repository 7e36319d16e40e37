import { StoreInputError } from '../errors/store-errors.js';
import type { NewTask } from '../ports/task-queue.js';

/** The tasks so that each comes behind those it depends on. A circle is an error that names it. */
export function orderByDependency(tasks: readonly NewTask[]): readonly NewTask[] {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const ordered = new Set<NewTask>();
  for (const task of tasks) visit(task, [], byId, ordered);
  return [...ordered];
}

function visit(
  task: NewTask,
  path: readonly string[],
  byId: ReadonlyMap<string, NewTask>,
  ordered: Set<NewTask>,
): void {
  if (ordered.has(task)) return;
  if (path.includes(task.id)) {
    const circle = [...path.slice(path.indexOf(task.id)), task.id].join(' → ');
    throw new StoreInputError('dependencies', `no circle; there is one: ${circle}`);
  }
  for (const dependency of task.depends_on ?? []) {
    const other = byId.get(dependency);
    if (other !== undefined) visit(other, [...path, task.id], byId, ordered);
  }
  ordered.add(task);
}
