import { orderByDependency } from '../order-by-dependency.js';
import type { Task } from './types.js';

/** Limits for a list of tasks. */
export const TASK_LIMITS = { tasks: 1_000, idChars: 200, titleChars: 1_000, descriptionChars: 20_000 } as const;

type Checked =
  | { readonly ok: true; readonly tasks: readonly Task[] }
  | { readonly ok: false; readonly message: string };

/**
 * The tasks of a loop in the order in which they are done. Those that were `finished` before stay as they are, even where
 * the new list has left them out or calls them pending: nothing is done twice because a list was sent again.
 */
export function checkTasks(given: readonly Task[], finished: readonly Task[]): Checked {
  if (given.length > TASK_LIMITS.tasks)
    return refused(`at most ${TASK_LIMITS.tasks} tasks in one loop, not ${given.length}`);
  const ids = new Set<string>();
  for (const task of given) {
    const problem = problemOf(task) ?? (ids.has(task.id) ? `the id '${task.id}' is there twice` : undefined);
    if (problem !== undefined) return refused(problem);
    ids.add(task.id);
  }
  const kept = new Map(finished.map((task) => [task.id, task]));
  const tasks = [
    ...finished.filter(({ id }) => !ids.has(id)),
    ...given.map((task) => kept.get(task.id) ?? asGiven(task)),
  ];
  const known = new Set(tasks.map(({ id }) => id));
  for (const { id, depends_on = [] } of tasks) {
    const unknown = kept.has(id) ? undefined : depends_on.find((other) => !known.has(other));
    if (unknown !== undefined) return refused(`task '${id}' depends on '${unknown}', which is not in the list`);
  }
  const ordered = orderByDependency(tasks);
  if (ordered.ok) return { ok: true, tasks: ordered.items };
  return refused(`tasks depend on each other in a circle: ${ordered.circle.join(' → ')}`);
}

export const isFinished = (status: Task['status']): boolean => status === 'done' || status === 'failed';

const refused = (message: string) => ({ ok: false, message: `tasks: ${message}.` }) as const;

function problemOf({ id, title, description = '' }: Task): string | undefined {
  if (id.trim() === '' || id.length > TASK_LIMITS.idChars || /\p{Cc}/u.test(id))
    return `an id is 1 to ${TASK_LIMITS.idChars} characters without control characters`;
  if (title.trim() === '' || title.length > TASK_LIMITS.titleChars)
    return `the title of '${id}' must have 1 to ${TASK_LIMITS.titleChars} characters`;
  if (description.length > TASK_LIMITS.descriptionChars)
    return `the description of '${id}' is over ${TASK_LIMITS.descriptionChars} characters; put it into a file and name the file`;
  return undefined;
}

/** Which task is in progress is decided by the workflow alone. */
const asGiven = (task: Task): Task => (task.status === 'in_progress' ? { ...task, status: 'pending' } : task);
