import { realpath } from 'node:fs/promises';
import { basename } from 'node:path';
import { locateWorktree } from '../locate-worktree.js';
import { printGit } from '../print-git.js';
import { createGit } from '../run-git.js';
import { findRemains, listWorktrees } from './find-run-worktree.js';
import { leftIn } from './remove-run-worktree.js';
import { isRunPlace, runBranch } from './run-place.js';

export interface ListedRunWorktree {
  readonly runId: string;
  readonly top: string;
  /** What would be lost with it, as a sentence. */
  readonly holds?: string;
}

const GIT_MS = 60_000;

/** The work trees of the project's runs, and whether they hold anything that is nowhere else. None where git does not say. */
export async function listRunWorktrees({
  folder,
  env,
}: {
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}): Promise<readonly ListedRunWorktree[]> {
  const real = await realpath(folder).catch(() => undefined);
  if (real === undefined) return [];
  const place = await locateWorktree(createGit({ folder: real, env, timeMs: GIT_MS }));
  if (place.outcome !== 'located') return [];
  const git = createGit({ folder: place.root, env, timeMs: GIT_MS });
  const tops = await listWorktrees(git);
  const ids = new Set(tops.filter((top) => isRunPlace(top, basename(top))).map((top) => basename(top)));
  const listed: ListedRunWorktree[] = [];
  for (const runId of ids) {
    for (const { kind, top } of await findRemains(git, { root: place.root, folder: real, runId }, { env })) {
      const isMerged = await printGit(git, ['merge-base', '--is-ancestor', runBranch(runId), 'HEAD']);
      const unmerged = isMerged.outcome === 'printed' ? undefined : `${runBranch(runId)} is not merged`;
      const holds = kind === 'begun' ? undefined : ((await leftIn(top, runId, env)) ?? unmerged);
      listed.push({ runId, top, ...(holds === undefined ? {} : { holds }) });
    }
  }
  return listed;
}
