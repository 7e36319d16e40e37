import type { TaskStatus } from '@devs/core';
import type { Palette } from '../screen/palette.js';

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
