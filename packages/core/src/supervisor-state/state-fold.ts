import type { StoredEvent } from '../ports/event-log.js';
import { taskIdOf } from '../task-queue/task-stream.js';
import { isoTime, taskOf, textOf } from './event-facts.js';
import { finishedTask, KEPT_FINISHED, reopensTask } from './finished-task.js';
import { LARGEST_WINDOW } from './minimal-state.js';
import type { NewestFinished } from './read-newest-finished.js';
import type { SupervisorState } from './supervisor-state.js';
import { createTaskList } from './task-list.js';

/** A state on its way through the log. An event costs the same however many tasks are blocked or in progress. */
export interface StateFold {
  readonly position: number;
  /** So many finished tasks were reopened that fewer are kept than a prompt shows, though the log holds more. */
  readonly isStarved: boolean;
  /** Events of kinds that are not known, also of later versions, only move the position. */
  take(event: StoredEvent): void;
  refill(newest: NewestFinished): void;
  state(): SupervisorState;
}

export function createStateFold(start: SupervisorState): StateFold {
  const active = createTaskList(start.active_tasks);
  const blocked = createTaskList(start.blocked_tasks);
  let finished = createTaskList(start.completed_tasks);
  let { position, project, finished_count } = start;
  let isStarved = false;

  /** Neither in progress nor blocked any more. */
  function settle(task_id: string): void {
    active.remove(task_id);
    blocked.remove(task_id);
  }

  function takeOfTask(event: StoredEvent, task_id: string): void {
    const done = finishedTask(event);
    if (done !== undefined) {
      settle(task_id);
      finished.put(done);
      finished.trimTo(KEPT_FINISHED);
      finished_count++;
    } else if (reopensTask(event)) {
      settle(task_id);
      finished.remove(task_id);
      if (FINISHED.has(event.data['was'])) finished_count = Math.max(0, finished_count - 1);
      isStarved = finished.size < LARGEST_WINDOW && finished.size < finished_count;
    } else if (event.type === 'task.claimed') {
      const by = textOf(event.data['by']);
      blocked.remove(task_id);
      active.put({ ...taskOf(event), ...(by !== undefined && { by }) });
    } else if (event.type === 'task.blocked') {
      settle(task_id);
      blocked.put({ ...taskOf(event), reason: textOf(event.data['reason']) ?? '', blocked_at: isoTime(event.at) });
    } else if (SETTLING.has(event.type)) {
      settle(task_id);
    }
  }

  return {
    get position() {
      return position;
    },
    get isStarved() {
      return isStarved;
    },
    take(event) {
      position = event.position;
      const task_id = taskIdOf(event.stream);
      if (event.type === 'project.described') project = { ...event.data };
      else if (task_id !== undefined) takeOfTask(event, task_id);
    },
    refill({ tasks, count }) {
      finished = createTaskList([...tasks]);
      finished_count = count;
      isStarved = false;
    },
    state: () => ({
      ...start,
      position,
      ...(project !== undefined && { project }),
      completed_tasks: finished.toArray(),
      finished_count,
      blocked_tasks: blocked.toArray(),
      active_tasks: active.toArray(),
    }),
  };
}

const FINISHED: ReadonlySet<unknown> = new Set(['done', 'failed']);
const SETTLING: ReadonlySet<string> = new Set(['task.unblocked', 'task.released', 'task.expired']);
