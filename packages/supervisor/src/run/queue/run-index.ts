import { createRunReader, isUnfinished, type RunFacts, type Store } from '@devs/core';

/** All runs that a supervisor prepared, for repeated lookups: each event is read once. */
export interface RunIndex {
  /** The oldest first. */
  read(): Promise<readonly RunFacts[]>;
  /** The newest unfinished run of a task. */
  findOf(taskId: string): Promise<RunFacts | undefined>;
}

export function createRunIndex(store: Pick<Store, 'log' | 'snapshots'>): RunIndex {
  const reader = createRunReader(store);
  const read = async () => (await reader.read()).runs;
  return {
    read,
    findOf: async (taskId) => (await read()).findLast((run) => run.plan?.task?.id === taskId && isUnfinished(run)),
  };
}
