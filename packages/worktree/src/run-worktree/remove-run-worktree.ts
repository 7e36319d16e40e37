import { realpath } from 'node:fs/promises';
import { changeWorktrees } from '../change-worktrees.js';
import { locateWorktree } from '../locate-worktree.js';
import { printGit } from '../print-git.js';
import { retryLocked } from '../retry-locked.js';
import { createGit } from '../run-git.js';
import { branchOf, whereElse } from './commits-of.js';
import { discardWorktree, forgetMissing } from './discard-worktree.js';
import { findRemains, listWorktrees } from './find-run-worktree.js';
import { readLeft } from './read-left.js';
import { baseRef, isRunPlace, runBranch } from './run-place.js';

export interface RemoveRequest {
  readonly folder: string;
  readonly runId: string;
  /** Also where something in it is not committed, or its branch is merged nowhere. */
  readonly force?: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export type Removal =
  | { readonly outcome: 'removed'; readonly keptBranch: boolean }
  | { readonly outcome: 'refused'; readonly reason: string };

const GIT_MS = 60_000;

/** Removes the work tree of a run; its branch too where all of it is in the user's. */
export async function removeRunWorktree({ folder, runId, force = false, env }: RemoveRequest): Promise<Removal> {
  const real = await realpath(folder);
  const place = await locateWorktree(createGit({ folder: real, env, timeMs: GIT_MS }));
  if (place.outcome !== 'located') return { outcome: 'refused', reason: `git says: ${place.outcome}` };
  const git = createGit({ folder: place.root, env, timeMs: GIT_MS });
  const remains = await findRemains(git, { root: place.root, folder: real, runId }, { env });
  for (const { kind, top } of remains) {
    const left = kind === 'begun' ? undefined : await leftIn(top, runId, env);
    if (left !== undefined && !force) return { outcome: 'refused', reason: left };
  }
  const removed = await changeWorktrees({ git, root: place.root }, async (): Promise<Removal> => {
    for (const { top } of remains) await discardWorktree(git, top);
    const known = await listWorktrees(git);
    for (const top of known) if (isRunPlace(top, runId)) await forgetMissing(git, top);
    const args = ['branch', '--quiet', force ? '-D' : '-d', runBranch(runId)];
    const deleted = await retryLocked(() => printGit(git, args));
    if (deleted.outcome === 'printed') await printGit(git, ['update-ref', '-d', baseRef(runId)]);
    return { outcome: 'removed', keptBranch: deleted.outcome !== 'printed' };
  });
  if (removed.outcome === 'removed' || removed.outcome === 'refused') return removed;
  return {
    outcome: 'refused',
    reason: removed.outcome === 'failed' ? removed.message : `git says: ${removed.outcome}`,
  };
}

/** What would be lost with the folder; git that cannot say is a reason to keep it. */
export async function leftIn(top: string, runId: string, env: RemoveRequest['env']): Promise<string | undefined> {
  const left = await readLeft(top, { env });
  if (left.outcome !== 'told') return `git does not say what is in it (${left.outcome})`;
  const [path] = left.paths;
  if (path !== undefined) return `${path} is not committed there`;
  const git = createGit({ folder: top, env, timeMs: GIT_MS });
  if ((await branchOf(git)) !== undefined) return undefined; // a branch keeps its commits
  const commit = await whereElse(git, runBranch(runId));
  return commit === undefined ? undefined : `its commit ${commit} is on no branch`;
}
