import type { TaskRecord } from '@devs/core';
import { type Calendar, describeSpan, relativeTime } from '../time/describe-time.js';

/** What is worth knowing about a task beside its intent, in a few words: who has it, what it waits for, when it ended. */
export function taskNote(task: TaskRecord, calendar: Calendar): string {
  switch (task.status) {
    case 'in_progress':
      return task.lease === undefined ? '' : `${task.lease.by}, ${describeLease(task.lease.until, calendar)}`;
    case 'pending':
      if (task.open_dependencies.length > 0) return `after ${task.open_dependencies.join(', ')}`;
      return task.priority === 0 ? '' : `priority ${task.priority}`;
    case 'done':
      return task.finished_at === undefined ? '' : relativeTime(task.finished_at, calendar);
    case 'blocked':
    case 'failed':
      return '';
  }
}

const describeLease = (until: number, { now }: Calendar): string =>
  until > now ? `${describeSpan(until - now)} left` : 'lease over';
