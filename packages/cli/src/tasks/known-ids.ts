import { StoreInputError, type TaskQueue } from '@devs/core';

const AT_ONCE = 200;

/** The ids known to the store. Invalid ids are unknown. */
export async function knownIds(tasks: Pick<TaskQueue, 'get'>, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const known = new Set<string>();
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const some = ids.slice(from, from + AT_ONCE);
    const found = await Promise.all(some.map((id) => tasks.get(id).catch(unlessImpossible)));
    for (const task of found) if (task !== undefined) known.add(task.id);
  }
  return known;
}

function unlessImpossible(error: unknown): undefined {
  if (!(error instanceof StoreInputError)) throw error;
}
