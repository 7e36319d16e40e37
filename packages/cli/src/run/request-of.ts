import type { TaskRecord } from '@devs/core';

/** What a run is asked to do for a task. */
export const requestOf = ({ intent, description }: Pick<TaskRecord, 'intent' | 'description'>): string =>
  description === undefined ? intent : `${intent}\n\n${description}`;
