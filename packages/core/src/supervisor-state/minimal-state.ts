import type { SupervisorState } from './supervisor-state.js';

/** The part of the state that a prompt shows (seed 001). */
export interface MinimalState {
  project?: Record<string, unknown>;
  completed_tasks?: Array<{
    task_id: string;
    completed_at: string;
    status?: 'completed' | 'failed';
    intent?: string;
    result?: string;
  }>;
  blocked_tasks?: Array<{
    task_id: string;
    reason: string;
    intent?: string;
  }>;
}

export const LARGEST_WINDOW = 5;

/**
 * Always the last 5 finished tasks, newest last, and always all that are blocked. Nothing depends on the task at hand:
 * words such as "extend" or "previous" in it change nothing.
 */
export function buildMinimalState(
  state: Pick<SupervisorState, 'completed_tasks' | 'blocked_tasks'> & Partial<SupervisorState>,
): MinimalState {
  const recent = unique(state.completed_tasks ?? []).slice(-LARGEST_WINDOW);
  return {
    ...(state.project !== undefined && { project: state.project }),
    completed_tasks: recent.map((task) => ({
      task_id: task.task_id,
      completed_at: typeof task.completed_at === 'string' ? task.completed_at : '',
      ...(task.status !== undefined && { status: task.status }),
      ...(typeof task.intent === 'string' && { intent: task.intent }),
      ...(typeof task.result === 'string' && { result: task.result }),
    })),
    blocked_tasks: unique(state.blocked_tasks ?? []).map((task) => ({
      task_id: task.task_id,
      reason: typeof task.reason === 'string' ? task.reason : '',
      ...(typeof task.intent === 'string' && { intent: task.intent }),
    })),
  };
}

/** The last record of each task, in place; ignores records without an id. */
function unique<T extends { readonly task_id: string }>(tasks: readonly T[]): T[] {
  const last = new Map(tasks.map((task, index) => [task?.task_id, index]));
  return tasks.filter((task, index) => typeof task?.task_id === 'string' && last.get(task.task_id) === index);
}
