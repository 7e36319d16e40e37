import type { StoredEvent } from '../ports/event-log.js';
import type { JsonValue } from '../ports/json.js';
import type { TaskRecord } from '../ports/task-queue.js';
import { taskIdOf } from './task-stream.js';

/**
 * Applies one more event of the log to all tasks; returns the id of its task. The mirror of `decideTask`: it derives
 * from the event what that stores beside it.
 *
 * The end of a lease is not in the log, since heartbeats are not events: it is the time of the claim here.
 */
export function foldTask(tasks: Map<string, TaskRecord>, event: StoredEvent): string | undefined {
  const id = taskIdOf(event.stream);
  if (id === undefined) return undefined;
  const next = event.type === 'task.added' ? added(id, event, tasks) : changed(tasks.get(id), event);
  if (next === undefined) tasks.delete(id);
  else tasks.set(id, next);
  return id;
}

function added(id: string, { data, at, version }: StoredEvent, tasks: ReadonlyMap<string, TaskRecord>): TaskRecord {
  const depends_on = textsOf(data['depends_on']);
  const description = data['description'];
  return {
    id,
    intent: textOf(data['intent']) ?? '',
    ...(typeof description === 'string' && { description }),
    depends_on,
    open_dependencies: depends_on.filter((dependency) => tasks.get(dependency)?.status !== 'done'),
    priority: numberOf(data['priority']) ?? 0,
    ...(typeof data['base'] === 'string' && { base: data['base'] }),
    ...(data['needs'] !== undefined && { needs: textsOf(data['needs']) }),
    status: 'pending',
    fence: version - 1, // fences continue after a removed task of the same id
    added_at: at,
    version,
  };
}

function changed(task: TaskRecord | undefined, event: StoredEvent): TaskRecord | undefined {
  if (task === undefined) return undefined;
  const { type, data, at, version } = event;
  // What belongs to the status that it had goes with it.
  const { lease: _lease, result: _result, reason: _reason, finished_at: _end, ...rest } = task;
  const lasting = { ...rest, version };
  const reason = textOf(data['reason']) ?? '';
  switch (type) {
    case 'task.claimed': {
      const lease = { by: textOf(data['by']) ?? '', until: at };
      return { ...lasting, status: 'in_progress', fence: numberOf(data['fence']) ?? task.fence + 1, lease };
    }
    case 'task.completed': {
      const result = textOf(data['result']);
      return { ...lasting, status: 'done', ...(result !== undefined && { result }), finished_at: at };
    }
    case 'task.failed':
      return { ...lasting, status: 'failed', reason, finished_at: at };
    case 'task.blocked':
      return { ...lasting, status: 'blocked', reason };
    case 'task.unblocked':
    case 'task.released':
    case 'task.retried':
    case 'task.expired':
      return { ...lasting, status: 'pending' };
    case 'task.edited':
      return { ...task, version, ...editedOf(data) };
    case 'task.removed':
      return undefined;
    case 'dependency.completed':
      return { ...task, version, open_dependencies: task.open_dependencies.filter((id) => id !== data['on']) };
    case 'dependency.reopened':
      return { ...task, version, open_dependencies: [...task.open_dependencies, textOf(data['on']) ?? ''] };
    default:
      return { ...task, version };
  }
}

function editedOf(data: StoredEvent['data']): Partial<TaskRecord> {
  const [intent, description, priority] = [
    textOf(data['intent']),
    textOf(data['description']),
    numberOf(data['priority']),
  ];
  return {
    ...(intent !== undefined && { intent }),
    ...(description !== undefined && { description }),
    ...(priority !== undefined && { priority }),
  };
}

const textOf = (value: JsonValue | undefined) => (typeof value === 'string' ? value : undefined);
const numberOf = (value: JsonValue | undefined) => (typeof value === 'number' ? value : undefined);
const textsOf = (value: JsonValue | undefined): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
