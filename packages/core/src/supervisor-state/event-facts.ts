import type { StoredEvent } from '../ports/event-log.js';
import { taskIdOf } from '../task-queue/task-stream.js';

/** What every list of the state says of a task. */
export function taskOf({ stream, data }: StoredEvent): { readonly task_id: string; readonly intent?: string } {
  const intent = textOf(data['intent']);
  return { task_id: taskIdOf(stream) ?? stream, ...(intent !== undefined && { intent }) };
}

/** A clock may be wrong, but not so much that there is no such day. */
export const isoTime = (at: number) => new Date(Math.min(Math.max(at, 0), 8.64e15)).toISOString();

export const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);
