import { buildTree } from '../checkpoint/build-tree.js';
import { chooseFiles, type LeftOut } from '../checkpoint/choose-files.js';
import { openHiddenRepository } from '../checkpoint/hidden-repository.js';
import { locateWorktree, type NotRead } from '../locate-worktree.js';
import { printGit } from '../print-git.js';
import { readStatus } from '../read-status.js';
import { createGit } from '../run-git.js';
import type { MovedWork } from '../run-worktree/align-worktree.js';

export interface SnapshotRequest {
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal | undefined;
}

export type Snapshot =
  | ({ readonly outcome: 'taken'; readonly leftOut: readonly LeftOut[] } & MovedWork)
  | { readonly outcome: 'no-commit' }
  | NotRead;

const GIT_MS = 60_000;
const FILE_BYTES = 10 << 20;
const MAX_FILES = 20_000;

/**
 * The work of a run as commits that can be pushed: that of its branch, and one on top with what is not committed. The
 * same work gives the same commits. Branch, index and files stay as they are; files are left out as in a checkpoint.
 */
export async function snapshotWork({ folder, env, signal }: SnapshotRequest): Promise<Snapshot> {
  const place = await locateWorktree(createGit({ folder, env, timeMs: GIT_MS, signal }));
  if (place.outcome !== 'located') return place;
  const { root, gitFolder } = place;
  const git = createGit({ folder: root, env, timeMs: GIT_MS, signal });
  const status = await readStatus(git, MAX_FILES);
  if (status.outcome !== 'told') return status;
  const { commit } = status.head;
  if (commit === undefined) return { outcome: 'no-commit' };
  if (status.files.length === 0) return { outcome: 'taken', commit, leftOut: [] };
  const hidden = await openHiddenRepository(git);
  if (hidden.outcome !== 'open') return hidden;
  const chosen = await chooseFiles({ git, root, changes: status.files, mostBytes: FILE_BYTES, commit });
  const built = await buildTree(git, { gitFolder, commit, env: hidden.env }, chosen);
  if (built.outcome !== 'built') return built;
  const own = await printGit(git, ['rev-parse', `${commit}^{tree}`]);
  if (own.outcome !== 'printed') return own;
  const { leftOut } = chosen;
  if (own.text.trim() === built.tree) return { outcome: 'taken', commit, leftOut };
  const made = await printGit(git, ['commit-tree', built.tree, '-p', commit, '-F', '-'], {
    input: 'devs: work that is not committed\n',
    env: { ...hidden.env, ...AUTHOR },
  });
  if (made.outcome !== 'printed') return made;
  return { outcome: 'taken', commit, work: made.text.trim(), leftOut };
}

/** Not the user, and always the same. */
const AUTHOR = {
  GIT_AUTHOR_NAME: 'devs',
  GIT_AUTHOR_EMAIL: 'devs@localhost',
  GIT_AUTHOR_DATE: '2000-01-01T00:00:00Z',
  GIT_COMMITTER_NAME: 'devs',
  GIT_COMMITTER_EMAIL: 'devs@localhost',
  GIT_COMMITTER_DATE: '2000-01-01T00:00:00Z',
};
