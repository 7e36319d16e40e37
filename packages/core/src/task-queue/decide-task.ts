import type { NewEvent } from '../ports/event-log.js';
import type { Held, RefusedTask, TaskEdit, TaskRecord, TaskRefusal, TaskStatus } from '../ports/task-queue.js';

/** What becomes of a task, and the event that says so; or why not. `unchanged`: it was done before, by the same claim. */
export type TaskDecision =
  | { readonly status: 'changed'; readonly event: NewEvent; readonly task: TaskRecord }
  | { readonly status: 'unchanged'; readonly task: TaskRecord }
  | RefusedTask;

export type TaskCommand =
  | { readonly type: 'claim'; readonly by: string; readonly leaseMs: number; readonly after?: number }
  | ({ readonly type: 'complete'; readonly result?: string } & Held)
  | ({ readonly type: 'fail'; readonly reason: string } & Held)
  | ({ readonly type: 'block'; readonly reason: string } & Held)
  | ({ readonly type: 'release' } & Held)
  | ({ readonly type: 'edit' } & Omit<TaskEdit, 'id'>)
  | { readonly type: 'unblock' | 'retry' | 'remove' | 'expire' };

/** From which statuses a command leads on for the user. Who has a claim needs the task to be in progress still. */
const ALLOWED: Readonly<Record<TaskCommand['type'], readonly TaskStatus[]>> = {
  claim: ['pending'],
  complete: ['pending', 'in_progress', 'blocked'],
  fail: ['pending', 'in_progress', 'blocked'],
  block: ['pending', 'in_progress'],
  unblock: ['blocked'],
  release: ['in_progress'],
  retry: ['failed', 'done'],
  remove: ['pending', 'blocked', 'done', 'failed'],
  expire: ['in_progress'],
  edit: ['pending', 'blocked', 'failed'],
};

/** By the current holder of its run, in one step without a gap. */
const TAKEN_OVER: readonly TaskStatus[] = ['pending', 'in_progress', 'blocked'];

/** The whole life of a task, without doing any of it. */
export function decideTask(task: TaskRecord, command: TaskCommand, now: number): TaskDecision {
  const fence = 'fence' in command ? command.fence : undefined;
  if (fence !== undefined && fence !== task.fence) {
    return refuse(
      'stale',
      `${task.id} has been claimed again since (claim ${task.fence}, yours is ${fence}); leave it`,
    );
  }
  if (fence !== undefined && wasDoneBefore(task, command)) return { status: 'unchanged', task };
  if (fence !== undefined && task.status !== 'in_progress') {
    return refuse('stale', `claim ${fence} of ${task.id} is over: it is ${task.status} now; leave it`);
  }
  const isTakenOver = command.type === 'claim' && command.after !== undefined;
  if (isTakenOver && command.after !== task.fence) return refuse('stale', `${task.id} has been claimed again since`);
  const allowed = isTakenOver ? TAKEN_OVER : ALLOWED[command.type];
  if (!allowed.includes(task.status)) {
    return refuse('wrong-status', `${task.id} is ${task.status}; ${command.type} needs ${allowed.join(' or ')}`);
  }
  return carryOut(task, command, now);
}

function carryOut(task: TaskRecord, command: TaskCommand, now: number): TaskDecision {
  const { intent } = task;
  switch (command.type) {
    case 'claim': {
      if (task.open_dependencies.length > 0) {
        return refuse('waiting', `${task.id} waits for ${task.open_dependencies.join(', ')}`);
      }
      const fence = task.fence + 1;
      const lease = { by: command.by, until: now + command.leaseMs };
      return changed(task, 'task.claimed', { intent, by: command.by, fence }, { status: 'in_progress', fence, lease });
    }
    case 'complete': {
      const result = command.result === undefined ? {} : { result: command.result };
      return changed(task, 'task.completed', { intent, ...result }, { status: 'done', ...result, finished_at: now });
    }
    case 'fail': {
      const { reason } = command;
      return changed(task, 'task.failed', { intent, reason }, { status: 'failed', reason, finished_at: now });
    }
    case 'block': {
      const { reason } = command;
      return changed(task, 'task.blocked', { intent, reason }, { status: 'blocked', reason });
    }
    case 'unblock':
      return changed(task, 'task.unblocked', { intent }, { status: 'pending' });
    case 'release':
      return changed(task, 'task.released', { intent }, { status: 'pending' });
    case 'retry':
      return changed(task, 'task.retried', { intent, was: task.status }, { status: 'pending' });
    case 'remove':
      return changed(task, 'task.removed', { intent, was: task.status }, {});
    case 'edit': {
      const { type: _, ...edit } = command;
      // Its status stays, with what belongs to it.
      return { ...changed(task, 'task.edited', edit, {}), task: { ...task, ...edit, version: task.version + 1 } };
    }
    case 'expire':
      return changed(task, 'task.expired', { intent, by: task.lease?.by ?? '' }, { status: 'pending' });
  }
}

/** What belongs to the status it had goes with it: a lease, a result, a reason, an end. */
function changed(
  task: TaskRecord,
  type: string,
  data: NewEvent['data'],
  changes: Partial<TaskRecord>,
): Extract<TaskDecision, { status: 'changed' }> {
  const { lease: _lease, result: _result, reason: _reason, finished_at: _end, ...lasting } = task;
  return { status: 'changed', event: { type, data }, task: { ...lasting, ...changes, version: task.version + 1 } };
}

/** The holder may not have received the confirmation, and repeats itself. */
function wasDoneBefore(task: TaskRecord, command: TaskCommand): boolean {
  switch (command.type) {
    case 'complete':
      return task.status === 'done';
    case 'fail':
      return task.status === 'failed';
    case 'block':
      return task.status === 'blocked' && task.reason === command.reason;
    case 'release':
      return task.status === 'pending';
    default:
      return false;
  }
}

const refuse = (reason: TaskRefusal, message: string): RefusedTask => ({ status: 'refused', reason, message });
