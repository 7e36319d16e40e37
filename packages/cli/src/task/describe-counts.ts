import type { TaskStatus } from '@devs/core';
import { count, grouped } from '../words.js';
import { ALL_STATUSES, statusWord } from './status-words.js';

/** `3 tasks: 1 in progress, 2 pending` */
export function describeCounts(counts: Readonly<Partial<Record<TaskStatus, number>>>): string {
  const total = Object.values(counts).reduce((sum, number) => sum + number, 0);
  const parts = ALL_STATUSES.flatMap((status) => {
    const number = counts[status] ?? 0;
    return number === 0 ? [] : [`${grouped(number)} ${statusWord(status)}`];
  });
  return parts.length === 0 ? count(total, 'task') : `${count(total, 'task')}: ${parts.join(', ')}`;
}
