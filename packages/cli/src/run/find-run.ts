import { type RunFacts, readRuns } from '@devs/core';
import { CliError, UsageError } from '../cli-error.js';
import { visible } from '../screen/visible.js';
import { type StoreOptions, withExistingStore } from '../store-access/with-store.js';
import type { RunServices } from './run-services.js';

/** How the user may call a run: by its id, or by the terminal of its agent. */
export const namesOf = ({ id, begun }: RunFacts): readonly string[] =>
  begun === undefined ? [id] : [id, begun.terminal];

/** The run that is meant, by its whole name or by a beginning that no other has; `undefined` where it is none. */
function matchRun(runs: readonly RunFacts[], wanted: string): RunFacts | undefined {
  const exact = runs.find((run) => namesOf(run).includes(wanted));
  if (exact !== undefined || wanted === '') return exact;
  const beginning = runs.filter((run) => namesOf(run).some((name) => name.startsWith(wanted)));
  if (beginning.length > 1) {
    throw new UsageError(`"${visible(wanted)}" can be ${beginning.map(({ id }) => id).join(', ')}. Type more of it.`);
  }
  return beginning[0];
}

/** The same for a command that is about a run; without a name, the newest. */
export function findRun(runs: readonly RunFacts[], wanted: string | undefined): RunFacts {
  const newest = runs.findLast(({ archived }) => archived === undefined);
  if (newest === undefined) throw new CliError('there is no run yet. Begin one with `devs run "What to do"`.');
  if (wanted === undefined) return newest;
  const found = matchRun(runs, wanted);
  if (found?.archived !== undefined)
    throw new CliError(`${found.id} is archived in ${visible(found.archived)}, and the store has only its outcome.`);
  if (found !== undefined) return found;
  const known = runs.slice(-5).map(({ id }) => id);
  throw new CliError(`there is no run "${visible(wanted)}". The newest are: ${known.join(', ')}.`);
}

/**
 * The run of this project that a command about terminals means; `undefined` where the name is that of a terminal, or of nothing. A
 * beginning is taken for a run only where no terminal begins like that.
 */
export async function namedRun(
  wanted: string,
  options: StoreOptions,
  services: RunServices,
): Promise<RunFacts | undefined> {
  const runs = await withExistingStore(services, options, readRuns, () => []);
  const exact = runs.find((run) => namesOf(run).includes(wanted));
  if (exact !== undefined || runs.length === 0) return exact;
  const ofRuns = new Set(runs.flatMap(namesOf));
  const terminals = await services.terminals.list();
  if (terminals.some(({ name }) => name.startsWith(wanted) && !ofRuns.has(name))) return undefined;
  return matchRun(runs, wanted);
}
