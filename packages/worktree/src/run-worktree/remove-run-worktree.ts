import { realpath, rm } from 'node:fs/promises';
import { locateWorktree } from '../locate-worktree.js';
import { printGit } from '../print-git.js';
import { readStatus } from '../read-status.js';
import { createGit } from '../run-git.js';
import { baseRef, runBranch, runPlace } from './run-place.js';

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
  const { top } = runPlace({ root: place.root, folder: real, runId });
  const status = await readStatus(createGit({ folder: top, env, timeMs: GIT_MS }), 1).catch(() => undefined);
  const left = status?.outcome === 'told' ? status.files[0]?.path : undefined;
  if (left !== undefined && !force) return { outcome: 'refused', reason: `${left} is not committed there` };
  await printGit(git, ['worktree', 'remove', '--force', '--force', top]);
  await rm(top, { recursive: true, force: true });
  await printGit(git, ['worktree', 'prune']);
  const deleted = await printGit(git, ['branch', '--quiet', force ? '-D' : '-d', runBranch(runId)]);
  if (deleted.outcome === 'printed') await printGit(git, ['update-ref', '-d', baseRef(runId)]);
  return { outcome: 'removed', keptBranch: deleted.outcome !== 'printed' };
}
