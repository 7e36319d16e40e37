import type { TaskQueue, TaskRecord, TaskStatus } from '@devs/core';
import { ALL_STATUSES } from './status-words.js';

export interface PageRequest {
  readonly statuses: readonly TaskStatus[];
  readonly search?: string;
  /** From 1. */
  readonly page: number;
  readonly perPage: number;
}

/** One page of the task list, and how much there is beside it. */
export interface TaskListPage {
  readonly tasks: readonly TaskRecord[];
  readonly page: number;
  readonly perPage: number;
  readonly pages: number;
  /** How many tasks there are on all pages. */
  readonly total: number;
  readonly statuses: readonly TaskStatus[];
  readonly search?: string;
  /** How many tasks of each other status match the search and are not listed. */
  readonly hidden: Readonly<Partial<Record<TaskStatus, number>>>;
}

/** The tasks of all the statuses, one status after the other, cut into pages. */
export async function listPage(tasks: Pick<TaskQueue, 'list'>, request: PageRequest): Promise<TaskListPage> {
  const { statuses, search, page, perPage } = request;
  const query = search === undefined ? {} : { text: search };
  const shown: TaskRecord[] = [];
  let total = 0;
  for (const status of ALL_STATUSES.filter((known) => statuses.includes(known))) {
    const offset = Math.max(0, (page - 1) * perPage - total);
    const wanted = perPage - shown.length;
    const found = await tasks.list({ ...query, statuses: [status], offset, limit: Math.max(1, wanted) });
    shown.push(...found.tasks.slice(0, wanted));
    total += found.total;
  }
  const hidden: Partial<Record<TaskStatus, number>> = {};
  for (const status of ALL_STATUSES.filter((known) => !statuses.includes(known))) {
    const found = await tasks.list({ ...query, statuses: [status], limit: 1 });
    if (found.total > 0) hidden[status] = found.total;
  }
  return { ...request, tasks: shown, pages: Math.max(1, Math.ceil(total / perPage)), total, hidden };
}
