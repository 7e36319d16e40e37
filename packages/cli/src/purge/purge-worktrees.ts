import { isUnfinished, readRuns } from '@devs/core';
import { UsageError } from '../cli-error.js';
import { outputMode } from '../screen/output-mode.js';
import { toJson } from '../screen/to-json.js';
import { visible } from '../screen/visible.js';
import { type StoreOptions, withExistingStore } from '../store-access/with-store.js';
import type { PurgeServices } from './purge-services.js';

interface PurgeOptions extends StoreOptions {
  readonly yes?: boolean;
  readonly json?: boolean;
}

export interface KeptWorktree {
  readonly path: string;
  readonly why: string;
}

/** Removes the work trees of runs that are over and that hold nothing which is nowhere else. Gives the exit code. */
export async function purgeWorktrees(options: PurgeOptions, services: PurgeServices): Promise<number> {
  const runs = await withExistingStore(services, options, readRuns, () => []);
  const open = new Set(runs.filter(isUnfinished).map(({ id }) => id));
  const all = (await services.runs.worktrees()).map(({ runId, top, holds }) => ({
    runId,
    path: top,
    why: holds ?? (open.has(runId) ? `${runId} is not over` : undefined),
  }));
  const kept: KeptWorktree[] = all.flatMap(({ path, why }) => (why === undefined ? [] : [{ path, why }]));
  const removable = all.filter(({ why }) => why === undefined);
  if (kept.length > 0) services.warn(whatStays(kept));
  if (removable.length > 0)
    services.warn(['This will be removed:', ...removable.map(({ path }) => `  ${visible(path)}`)].join('\n'));
  const answer = options.yes || removable.length === 0 ? 'yes' : await services.confirm('Remove all of it for good?');
  if (answer === 'cannot-ask')
    throw new UsageError('nothing was removed. Give --yes to have it done without being asked.');
  const removed: string[] = [];
  for (const { runId, path } of answer === 'yes' ? removable : []) {
    const removal = await services.runs.removeWorktree(runId);
    if (removal.outcome === 'removed') removed.push(path);
    else services.warn(whatStays([{ path, why: removal.reason }]));
  }
  const nothing = removable.length === 0 ? 'There is nothing to remove.' : 'Nothing was removed.';
  services.print(
    outputMode(options) === 'json' ? toJson({ removed, kept }) : removed.length > 0 ? 'Removed.' : nothing,
  );
  return answer === 'yes' ? 0 : 1;
}

export const whatStays = (kept: readonly KeptWorktree[]) =>
  [
    'These work trees of runs stay:',
    ...kept.map(({ path, why }) => `  ${visible(path)}: ${visible(why)}`),
    'To be rid of one: git worktree remove --force RUN, then git branch -D devs/RUN',
  ].join('\n');
