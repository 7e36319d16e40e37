import { type RunFacts, readRuns } from '@devs/core';
import type { Services } from '../compose.js';
import { type StoreOptions, withExistingStore } from '../store-access/with-store.js';
import { matchRun, namesOf } from './find-run.js';

/**
 * The run of this project that a command about terminals means; `undefined` where the name is that of a terminal, or of nothing. A
 * beginning is taken for a run only where no terminal begins like that.
 */
export async function namedRun(
  wanted: string,
  options: StoreOptions,
  services: Services,
): Promise<RunFacts | undefined> {
  const runs = await withExistingStore(services, options, readRuns, () => []);
  const exact = runs.find((run) => namesOf(run).includes(wanted));
  if (exact !== undefined || runs.length === 0) return exact;
  const ofRuns = new Set(runs.flatMap(namesOf));
  const terminals = await services.terminals.list();
  if (terminals.some(({ name }) => name.startsWith(wanted) && !ofRuns.has(name))) return undefined;
  return matchRun(runs, wanted);
}
