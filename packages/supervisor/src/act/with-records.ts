import { buildMinimalState, withContext } from '@devs/core';
import type { Supervision } from '../supervision.js';

/** The prompt with the last finished tasks and the blockers of the queue, where there are any and it does not say them yet. */
export async function withRecords({ store, task }: Supervision, prompt: string): Promise<string> {
  return withContext(prompt, buildMinimalState(await store.state()), { taskId: task?.id });
}
