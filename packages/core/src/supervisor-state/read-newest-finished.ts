import type { StoreBackend } from '../ports/store-backend.js';
import { taskIdOf } from '../task-queue/task-stream.js';
import { finishedTask, KEPT_FINISHED, reopensTask } from './finished-task.js';
import { readUpTo } from './read-up-to.js';
import type { FinishedTask } from './supervisor-state.js';

export interface NewestFinished {
  /** Newest last. */
  readonly tasks: readonly FinishedTask[];
  /** Of all that are finished. */
  readonly count: number;
}

/**
 * The newest finished tasks as of a position, from the log alone. Keeps the positions and not the results: a long log
 * holds more results than memory should.
 */
export async function readNewestFinished(backend: StoreBackend, position: number): Promise<NewestFinished> {
  const finishedAt = new Map<string, number>();
  for await (const event of readUpTo(backend, { upTo: position })) {
    const id = taskIdOf(event.stream);
    if (id === undefined || !(reopensTask(event) || finishedTask(event) !== undefined)) continue;
    finishedAt.delete(id); // else it would keep its old place
    if (!reopensTask(event)) finishedAt.set(id, event.position);
  }
  const tasks: FinishedTask[] = [];
  for (const at of [...finishedAt.values()].slice(-KEPT_FINISHED)) {
    const [event] = await backend.read({ after: at - 1, limit: 1 });
    const task = event && finishedTask(event);
    if (task !== undefined) tasks.push(task);
  }
  return { tasks, count: finishedAt.size };
}
