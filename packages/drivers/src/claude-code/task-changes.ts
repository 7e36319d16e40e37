import type { ConversationFact, ConversationTaskStatus, JsonObject, TaskChanged } from '@devs/core';
import { listIn, objectIn, textIn } from '../reading/json.js';

/** The to-do list of older versions: always written whole. */
export function tasksReplaced(input: JsonObject): ConversationFact | undefined {
  if (!Array.isArray(input.todos)) return undefined;
  const tasks = listIn(input.todos).flatMap((todo) => {
    const { content, status } = objectIn(todo) ?? {};
    return typeof content === 'string' ? [{ title: content, status: statusOf(status) ?? 'pending' }] : [];
  });
  return { type: 'tasks.replaced', tasks };
}

export function taskUpdated(input: JsonObject): TaskChanged | undefined {
  const taskId = typeof input.taskId === 'number' ? String(input.taskId) : textIn(input.taskId);
  if (taskId === undefined) return undefined;
  const title = textIn(input.subject);
  const description = textIn(input.description);
  const status = statusOf(input.status);
  return {
    type: 'task.changed',
    taskId,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(status === undefined ? {} : { status }),
  };
}

/** A new task gets its number only in the answer to the call. */
export function taskCreated(input: JsonObject, answer: string): TaskChanged | undefined {
  const taskId = /Task #(\S+) created/.exec(answer)?.[1];
  const title = textIn(input.subject);
  if (taskId === undefined || title === undefined) return undefined;
  const description = textIn(input.description);
  return {
    type: 'task.changed',
    taskId,
    title,
    status: 'pending',
    ...(description === undefined ? {} : { description }),
  };
}

function statusOf(value: unknown): ConversationTaskStatus | undefined {
  switch (value) {
    case 'pending':
    case 'in_progress':
    case 'completed':
    case 'deleted':
      return value;
    case 'cancelled':
      return 'deleted';
    default:
      return undefined;
  }
}
