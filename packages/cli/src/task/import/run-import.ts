import { StoreInputError, type TaskQueue } from '@devs/core';
import type { PlannedTask } from './plan-import.js';

export interface ImportOutcome {
  readonly ids: readonly string[];
  /** Why it ended before its end. */
  readonly stopped?: 'interrupted' | Error;
}

interface ImportDeps {
  readonly tasks: Pick<TaskQueue, 'add'>;
  readonly signal: AbortSignal;
  /** The commit that they begin at, on a store that several machines share. */
  readonly base?: string;
}

/** Stores batch after batch, each whole or not at all; stops between two of them when the signal says so. */
export async function runImport(
  batches: readonly (readonly PlannedTask[])[],
  { tasks, signal, base }: ImportDeps,
): Promise<ImportOutcome> {
  const ids: string[] = [];
  for (const batch of batches) {
    if (signal.aborted) return { ids, stopped: 'interrupted' };
    try {
      await tasks.add(batch.map(({ task }) => (base === undefined ? task : { ...task, base })));
    } catch (error) {
      if (ids.length === 0 && !(error instanceof StoreInputError)) throw error;
      return { ids, stopped: error as Error };
    }
    ids.push(...batch.map(({ task }) => task.id));
  }
  return { ids };
}
