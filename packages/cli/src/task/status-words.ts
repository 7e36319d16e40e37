import type { TaskStatus } from '@devs/core';
import type { Palette } from '../screen/palette.js';
import { count, grouped } from '../words.js';

/** Open tasks come first, and among them those that need attention. */
export const OPEN_STATUSES: readonly TaskStatus[] = ['in_progress', 'blocked', 'pending'];
const CLOSED_STATUSES: readonly TaskStatus[] = ['failed', 'done'];
export const ALL_STATUSES: readonly TaskStatus[] = [...OPEN_STATUSES, ...CLOSED_STATUSES];

export const statusWord = (status: TaskStatus): string => status.replace('_', ' ');

export function statusPaint(status: TaskStatus, palette: Palette): (text: string) => string {
  switch (status) {
    case 'in_progress':
      return palette.devs;
    case 'blocked':
    case 'failed':
      return palette.bad;
    case 'done':
      return palette.good;
    case 'pending':
      return palette.model;
  }
}

/** `in_progress`, `in progress`, `in-progress` and `open` are understood; `undefined` for what is no status. */
export function parseStatuses(text: string): readonly TaskStatus[] | undefined {
  const word = text.trim().toLowerCase().replace(/[ -]/g, '_');
  if (word === 'open') return OPEN_STATUSES;
  const status = ALL_STATUSES.find((known) => known === word);
  return status === undefined ? undefined : [status];
}

/** `3 tasks: 1 in progress, 2 pending` */
export function describeCounts(counts: Readonly<Partial<Record<TaskStatus, number>>>): string {
  const total = Object.values(counts).reduce((sum, number) => sum + number, 0);
  const parts = ALL_STATUSES.flatMap((status) => {
    const number = counts[status] ?? 0;
    return number === 0 ? [] : [`${grouped(number)} ${statusWord(status)}`];
  });
  return parts.length === 0 ? count(total, 'task') : `${count(total, 'task')}: ${parts.join(', ')}`;
}
