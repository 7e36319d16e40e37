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

export const createStateFold = (start: SupervisorState): StateFold => new FoldedState(start);

class FoldedState implements StateFold {
  position: number;
  isStarved = false;
  private readonly active;
  private readonly blocked;
  private finished;
  private finishedCount: number;
  private project: SupervisorState['project'];

  constructor(private readonly start: SupervisorState) {
    this.active = createTaskList(start.active_tasks);
    this.blocked = createTaskList(start.blocked_tasks);
    this.finished = createTaskList(start.completed_tasks);
    this.position = start.position;
    this.finishedCount = start.finished_count;
    this.project = start.project;
  }

  take(event: StoredEvent): void {
    this.position = event.position;
    const task_id = taskIdOf(event.stream);
    if (event.type === 'project.described') this.project = { ...event.data };
    else if (task_id !== undefined) this.takeOfTask(event, task_id);
  }

  refill({ tasks, count }: NewestFinished): void {
    this.finished = createTaskList([...tasks]);
    this.finishedCount = count;
    this.isStarved = false;
  }

  state(): SupervisorState {
    return {
      ...this.start,
      position: this.position,
      ...(this.project !== undefined && { project: this.project }),
      completed_tasks: this.finished.toArray(),
      finished_count: this.finishedCount,
      blocked_tasks: this.blocked.toArray(),
      active_tasks: this.active.toArray(),
    };
  }

  private takeOfTask(event: StoredEvent, task_id: string): void {
    const { active, blocked, finished } = this;
    const done = finishedTask(event);
    if (done !== undefined) {
      this.settle(task_id);
      finished.put(done);
      finished.trimTo(KEPT_FINISHED);
      this.finishedCount++;
    } else if (reopensTask(event)) {
      this.settle(task_id);
      finished.remove(task_id);
      if (FINISHED.has(event.data['was'])) this.finishedCount = Math.max(0, this.finishedCount - 1);
      this.isStarved = finished.size < LARGEST_WINDOW && finished.size < this.finishedCount;
    } else if (event.type === 'task.claimed') {
      const by = textOf(event.data['by']);
      blocked.remove(task_id);
      active.put({ ...taskOf(event), ...(by !== undefined && { by }) });
    } else if (event.type === 'task.blocked') {
      this.settle(task_id);
      blocked.put({ ...taskOf(event), reason: textOf(event.data['reason']) ?? '', blocked_at: isoTime(event.at) });
    } else if (SETTLING.has(event.type)) {
      this.settle(task_id);
    }
  }

  /** Neither in progress nor blocked any more. */
  private settle(task_id: string): void {
    this.active.remove(task_id);
    this.blocked.remove(task_id);
  }
}

const FINISHED: ReadonlySet<unknown> = new Set(['done', 'failed']);
const SETTLING: ReadonlySet<string> = new Set(['task.unblocked', 'task.released', 'task.expired']);
