/** The tasks of one loop in the model, in the order in which they are done. */
export interface ModelTask {
  readonly id: string;
  readonly title: string;
  readonly depends_on: readonly string[];
  status: 'pending' | 'done' | 'failed';
}

export interface GivenTask {
  readonly id: string;
  readonly title: string;
  readonly depends_on?: readonly string[];
  readonly status?: 'pending' | 'in_progress' | 'done' | 'failed';
}

/** Applies a new list to the existing tasks; undefined if that is an error. */
export function newTasks(there: readonly ModelTask[], given: readonly GivenTask[]): ModelTask[] | undefined {
  const finished = there.filter(isFinished);
  const merged = merge(finished, given);
  return hasDuplicate(given) || hasUnknownDependency(merged, finished) ? undefined : inOrder(merged);
}

export function setStatus(tasks: readonly ModelTask[] | undefined, id: string, status: 'done' | 'failed'): void {
  for (const task of tasks ?? []) if (task.id === id) task.status = status;
}

/** What depends on a failed task fails, too. */
export function giveUpDependents(tasks: readonly ModelTask[]): void {
  const isFailed = (id: string) => tasks.some((task) => task.id === id && task.status === 'failed');
  const lost = tasks.filter(({ status, depends_on }) => status === 'pending' && depends_on.some(isFailed));
  for (const task of lost) task.status = 'failed';
  if (lost.length > 0) giveUpDependents(tasks);
}

export const isFinished = ({ status }: ModelTask) => status !== 'pending';

function merge(finished: readonly ModelTask[], given: readonly GivenTask[]): readonly ModelTask[] {
  const leftOut = finished.filter(({ id }) => !given.some((task) => task.id === id));
  const rest = given.map(
    ({ id, title, depends_on = [], status = 'pending' }): ModelTask =>
      finished.find((task) => task.id === id) ?? {
        id,
        title,
        depends_on,
        status: status === 'in_progress' ? 'pending' : status,
      },
  );
  return [...leftOut, ...rest];
}

const hasDuplicate = (given: readonly GivenTask[]) => new Set(given.map(({ id }) => id)).size < given.length;

/** Finished tasks stay finished, regardless of their dependencies. */
const hasUnknownDependency = (tasks: readonly ModelTask[], finished: readonly ModelTask[]) =>
  tasks
    .filter((task) => !finished.includes(task))
    .some(({ depends_on }) => depends_on.some((id) => !tasks.some((other) => other.id === id)));

/** Each after those that it depends on, otherwise as given; undefined when there is a circle. */
function inOrder(tasks: readonly ModelTask[]): ModelTask[] | undefined {
  const ordered: ModelTask[] = [];
  const take = (task: ModelTask, way: readonly ModelTask[]): boolean => {
    if (way.includes(task)) return false;
    const first = tasks.filter(({ id }) => task.depends_on.includes(id));
    if (!first.every((other) => take(other, [...way, task]))) return false;
    if (!ordered.includes(task)) ordered.push(task);
    return true;
  };
  return tasks.every((task) => take(task, [])) ? ordered : undefined;
}

/** Whether work may stay where it is. */
export function canGoOn(current: string | undefined, tasks: readonly ModelTask[]): boolean {
  const task = tasks.find(({ id }) => id === current);
  if (task === undefined || isFinished(task)) return false;
  return task.depends_on.every((id) => tasks.some((other) => other.id === id && other.status === 'done'));
}
