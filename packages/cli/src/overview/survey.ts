import {
  listRuns,
  type OpenedStore,
  type RunListing,
  type SeenTerminals,
  type TaskRecord,
  type TaskStatus,
} from '@devs/core';
import { ALL_STATUSES } from '../task/status-words.js';

const MAX_SHOWN = 20;

/** A store at a glance. */
export interface Survey {
  /** The first of them; `counts` says how many there are. */
  readonly blocked: readonly TaskRecord[];
  readonly inProgress: readonly TaskRecord[];
  /** Those that are not over. */
  readonly runs?: readonly RunListing[];
  readonly counts: Readonly<Record<TaskStatus, number>>;
}

/** The survey of one project, or why there is none. */
export interface ProjectSurvey {
  /** The folder of the project, or the store that was named. */
  readonly name: string;
  readonly survey?: Survey;
  readonly problem?: string;
}

export async function surveyStore(opened: OpenedStore, seen?: SeenTerminals): Promise<Survey> {
  const { tasks } = opened.store;
  const page = (status: TaskStatus, limit: number) => tasks.list({ statuses: [status], limit });
  const counts = { pending: 0, in_progress: 0, blocked: 0, done: 0, failed: 0 };
  for (const status of ALL_STATUSES) counts[status] = (await page(status, 1)).total;
  return {
    blocked: (await page('blocked', MAX_SHOWN)).tasks,
    inProgress: (await page('in_progress', MAX_SHOWN)).tasks,
    runs: await listRuns(opened, seen),
    counts,
  };
}
