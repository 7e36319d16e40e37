import type { StoredEvent } from '../ports/event-log.js';
import { isoTime, taskOf, textOf } from './event-facts.js';
import type { FinishedTask } from './supervisor-state.js';

/** Enough to take back a few finished tasks without reading the log again. */
export const KEPT_FINISHED = 50;

/** The task that the event finishes, or `undefined` for any other event. */
export function finishedTask(event: StoredEvent): FinishedTask | undefined {
  if (event.type !== 'task.completed' && event.type !== 'task.failed') return undefined;
  const isDone = event.type === 'task.completed';
  const result = textOf(event.data[isDone ? 'result' : 'reason']);
  return {
    ...taskOf(event),
    status: isDone ? 'completed' : 'failed',
    completed_at: isoTime(event.at),
    ...(result !== undefined && { result }),
  };
}

/** Whether the event takes back that a task was finished. */
export const reopensTask = ({ type }: StoredEvent) => type === 'task.retried' || type === 'task.removed';
