import type { NewEvent } from '../ports/event-log.js';
import type { TaskRecord } from '../ports/task-queue.js';

export interface DependentChange {
  readonly before: TaskRecord;
  readonly after: TaskRecord;
  readonly event: NewEvent;
}

/** Effect of a task's change on its dependents: done, they wait for one less; no longer done, for one more. */
export function dependentChanges(task: TaskRecord, dependents: readonly TaskRecord[]): readonly DependentChange[] {
  const isDone = task.status === 'done';
  return dependents.flatMap((before): DependentChange[] => {
    const waits = before.open_dependencies.includes(task.id);
    if (waits !== isDone) return [];
    const open_dependencies = isDone
      ? before.open_dependencies.filter((id) => id !== task.id)
      : [...before.open_dependencies, task.id];
    return [
      {
        before,
        after: { ...before, open_dependencies, version: before.version + 1 },
        event: { type: isDone ? 'dependency.completed' : 'dependency.reopened', data: { on: task.id } },
      },
    ];
  });
}
