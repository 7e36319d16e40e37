import type { TaskQuery, TaskQueue, TaskRecord } from '@devs/core';

const AT_ONCE = 1_000;

/** All matching tasks. Tasks added or removed meanwhile may be included or not. */
export async function listAllTasks(
  tasks: Pick<TaskQueue, 'list'>,
  query: Pick<TaskQuery, 'statuses' | 'text'> = {},
): Promise<readonly TaskRecord[]> {
  const found = new Map<string, TaskRecord>();
  for (let offset = 0; ; offset += AT_ONCE) {
    const page = await tasks.list({ ...query, offset, limit: AT_ONCE });
    for (const task of page.tasks) found.set(task.id, task);
    if (page.tasks.length < AT_ONCE) return [...found.values()];
  }
}
