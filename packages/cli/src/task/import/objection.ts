import { createTaskQueue, type NewTask, type StoreBackend, StoreInputError } from '@devs/core';

/** Knows no task and keeps none: what is asked of it when tasks are added, and nothing more. */
const keepsNothing = {
  loadTasks: async () => [],
  version: async () => 0,
  commit: async () => ({ committed: true, position: 0 }),
} satisfies Partial<StoreBackend> as Partial<StoreBackend> as StoreBackend;

const rehearsal = createTaskQueue({ backend: keepsNothing, clock: { now: () => 0 }, newId: () => 'rehearsal' });

/** The store's objection to a task by itself, without its dependencies; `undefined` if there is none. */
export async function objection({ depends_on: _others, ...task }: NewTask): Promise<string | undefined> {
  try {
    await rehearsal.add([task]);
    return undefined;
  } catch (error) {
    if (error instanceof StoreInputError) return error.message;
    throw error;
  }
}
