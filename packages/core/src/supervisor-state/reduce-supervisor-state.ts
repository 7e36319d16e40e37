import type { StoredEvent } from '../ports/event-log.js';
import type { SupervisorState } from './supervisor-state.js';

/** Enough to take back a few finished tasks without reading the log again. */
const KEPT_FINISHED = 50;
const TASK_STREAM = 'task:';

/** The state after one more event. Events of other kinds, also of later versions, only move the position. */
export function reduceSupervisorState(state: SupervisorState, event: StoredEvent): SupervisorState {
  const next = { ...state, position: event.position };
  if (event.type === 'project.described') return { ...next, project: { ...event.data } };
  if (!event.stream.startsWith(TASK_STREAM)) return next;

  const task_id = event.stream.slice(TASK_STREAM.length);
  const intent = textOf(event.data['intent']);
  const known = { task_id, ...(intent !== undefined && { intent }) };
  const at = isoTime(event.at);
  switch (event.type) {
    case 'task.claimed': {
      const by = textOf(event.data['by']);
      return {
        ...next,
        active_tasks: [...without(next.active_tasks, task_id), { ...known, ...(by !== undefined && { by }) }],
      };
    }
    case 'task.completed':
    case 'task.failed': {
      const isDone = event.type === 'task.completed';
      const result = textOf(event.data[isDone ? 'result' : 'reason']);
      const finished = {
        ...known,
        status: isDone ? ('completed' as const) : ('failed' as const),
        completed_at: at,
        ...(result !== undefined && { result }),
      };
      return {
        ...settled(next, task_id),
        completed_tasks: [...without(next.completed_tasks, task_id), finished].slice(-KEPT_FINISHED),
        finished_count: next.finished_count + 1,
      };
    }
    case 'task.blocked': {
      const blocked = { ...known, reason: textOf(event.data['reason']) ?? '', blocked_at: at };
      return { ...settled(next, task_id), blocked_tasks: [...without(next.blocked_tasks, task_id), blocked] };
    }
    case 'task.retried':
    case 'task.removed': {
      const was = textOf(event.data['was']);
      const wasFinished = was === 'done' || was === 'failed';
      return {
        ...settled(next, task_id),
        completed_tasks: without(next.completed_tasks, task_id),
        finished_count: Math.max(0, next.finished_count - (wasFinished ? 1 : 0)),
      };
    }
    case 'task.unblocked':
    case 'task.released':
    case 'task.expired':
      return settled(next, task_id);
    default:
      return next;
  }
}

/** Neither in progress nor blocked any more. */
const settled = (state: SupervisorState, task_id: string): SupervisorState => ({
  ...state,
  active_tasks: without(state.active_tasks, task_id),
  blocked_tasks: without(state.blocked_tasks, task_id),
});

/** The same array where there is nothing to take out: most events concern a task that is in none of the lists. */
const without = <T extends { readonly task_id: string }>(tasks: T[], task_id: string): T[] =>
  tasks.some((task) => task.task_id === task_id) ? tasks.filter((task) => task.task_id !== task_id) : tasks;

/** A clock may be wrong, but not so much that there is no such day. */
const isoTime = (at: number) => new Date(Math.min(Math.max(at, 0), 8.64e15)).toISOString();

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);
