import type { RunFacts } from '@devs/core';
import { CliError, UsageError } from '../cli-error.js';
import { visible } from '../screen/visible.js';

/** How the user may call a run: by its id, or by the terminal of its agent. */
export const namesOf = ({ id, begun }: RunFacts): readonly string[] =>
  begun === undefined ? [id] : [id, begun.terminal];

/** The run that is meant, by its whole name or by a beginning that no other has; `undefined` where it is none. */
export function matchRun(runs: readonly RunFacts[], wanted: string): RunFacts | undefined {
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
