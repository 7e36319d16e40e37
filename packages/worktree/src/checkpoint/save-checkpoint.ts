import { locateWorktree, type NotRead } from '../locate-worktree.js';
import { printGit } from '../print-git.js';
import { readStatus } from '../read-status.js';
import { createGit, type Git } from '../run-git.js';
import { buildTree } from './build-tree.js';
import { chooseFiles, type LeftOut } from './choose-files.js';
import { findCheckpoint, withCheckpointId } from './find-checkpoint.js';
import { gitIn, openHiddenRepository } from './hidden-repository.js';

export interface CheckpointRequest {
  readonly terminal: string;
  /** Purpose of the checkpoint, on one line. Saving the same purpose again returns the existing checkpoint. */
  readonly id: string;
  /** Number among this terminal's checkpoints. If another store already uses it, the next free number is taken. */
  readonly number: number;
  /** Any text; it reaches git on its standard input. */
  readonly message: string;
}

export interface CheckpointOptions {
  readonly limits?: Partial<CheckpointLimits>;
  readonly signal?: AbortSignal;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

export interface CheckpointLimits {
  readonly timeMs: number;
  /** Larger files are left out. */
  readonly fileBytes: number;
  readonly files: number;
}

export type CheckpointResult =
  | {
      readonly outcome: 'saved';
      readonly ref: string;
      readonly commit: string;
      readonly leftOut: readonly LeftOut[];
      /** Changed files beyond the limit, which are not in it. */
      readonly moreChanges: number;
    }
  | NotRead;

const DEFAULT_LIMITS: CheckpointLimits = { timeMs: 15_000, fileBytes: 10 << 20, files: 20_000 };

/**
 * Saves the current work as a commit in a repository that no push reaches. The user's branch, index and files stay
 * byte for byte the same; ignored files, files with secrets and huge files are left out and named. No user hook runs.
 */
export async function saveCheckpoint(
  folder: string,
  { terminal, id, number, message }: CheckpointRequest,
  options: CheckpointOptions = {},
): Promise<CheckpointResult> {
  const { signal, env = process.env } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const inFolder = createGit({ folder, env, timeMs: limits.timeMs, signal });
  const place = await locateWorktree(inFolder);
  if (place.outcome !== 'located') return place;
  const git = createGit({ folder: place.root, env, timeMs: limits.timeMs, signal });

  const hidden = await openHiddenRepository(git);
  if (hidden.outcome !== 'open') return hidden;
  const keeper = gitIn(git, hidden);
  const there = await findCheckpoint(keeper, { terminal, id, number });
  if (there.outcome === 'found') return { ...there, outcome: 'saved', leftOut: [], moreChanges: 0 };
  if (there.outcome !== 'free') return there;

  const status = await readStatus(git, limits.files);
  if (status.outcome !== 'told') return status;
  const { commit: head } = status.head;
  const { root, gitFolder } = place;
  const chosen = await chooseFiles({ git, root, changes: status.files, mostBytes: limits.fileBytes, commit: head });
  const built = await buildTree(git, { gitFolder, commit: head, env: hidden.env }, chosen);
  if (built.outcome !== 'built') return built;
  const commit = await commitTree(keeper, { tree: built.tree, parent: head, message: withCheckpointId(message, id) });
  if (commit.outcome !== 'printed') return commit;

  const hash = commit.text.trim();
  const kept = await printGit(keeper, ['update-ref', '--no-deref', there.ref, hash, '']);
  if (kept.outcome !== 'printed') return kept;
  return { outcome: 'saved', ref: there.ref, commit: hash, leftOut: chosen.leftOut, moreChanges: status.more };
}

const commitTree = (
  git: Git,
  { tree, parent, message }: { readonly tree: string; readonly parent: string | undefined; readonly message: string },
) =>
  printGit(git, ['commit-tree', tree, ...(parent === undefined ? [] : ['-p', parent]), '-F', '-'], {
    input: message,
    env: AUTHOR,
  });

/** Not the user: they did not make this commit, and may have no name configured in git. */
const AUTHOR = {
  GIT_AUTHOR_NAME: 'devs',
  GIT_AUTHOR_EMAIL: 'devs@localhost',
  GIT_COMMITTER_NAME: 'devs',
  GIT_COMMITTER_EMAIL: 'devs@localhost',
};
