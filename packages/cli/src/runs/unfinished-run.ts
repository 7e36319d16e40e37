import { isUnfinished, type RunFacts, readRuns } from '@devs/core';
import { CliError, UsageError } from '../cli-error.js';
import type { Services } from '../compose.js';
import { visible } from '../screen/visible.js';
import { type StoreOptions, withExistingStore } from '../store-access/with-store.js';
import { findOtherProject } from './other-project.js';

/**
 * The id of the only unfinished run, of this project or else of another. Prints it, and rejects if there are several.
 */
export async function unfinishedRun(options: StoreOptions, services: Services): Promise<string> {
  const meant = (runs: readonly RunFacts[]) => runs.filter(isUnfinished);
  const here = meant(await withExistingStore(services, options, readRuns, () => []));
  const other = here.length > 0 ? undefined : await findOtherProject(meant, options, services);
  const [run, ...more] = other?.runs ?? here;
  if (run === undefined) throw new CliError('no run is left to continue. See all with `devs ls`.');
  if (more.length > 0) {
    const named = [run, ...more].map(({ id, plan }) => `  ${id}  ${visible(firstLine(plan?.request))}`);
    throw new UsageError(`several runs are not over. Name one:\n${named.join('\n')}`);
  }
  services.complain(`devs: continuing ${run.id}${other === undefined ? '' : ` in ${visible(other.root)}`}`);
  return run.id;
}

const MOST_CHARS = 60;

const firstLine = (text = ''): string => {
  const [line = ''] = text.split('\n');
  return line.length > MOST_CHARS ? `${line.slice(0, MOST_CHARS)}…` : line;
};
