import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findOperation } from '../find-operation.js';
import { locateWorktree, type NotRead } from '../locate-worktree.js';
import { type Printed, printGit } from '../print-git.js';
import { readStatus } from '../read-status.js';
import { retryLocked } from '../retry-locked.js';
import { createGit, type Git } from '../run-git.js';
import type { ChangedFile } from '../worktree.js';
import { chooseFiles, type LeftOut } from './choose-files.js';

export interface RefreshCommitOptions {
  readonly message: string;
  /** To where the branch is pushed by default. */
  readonly push?: boolean;
  /** Further files to leave uncommitted. */
  leave?(file: ChangedFile): boolean;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

export type RefreshCommit =
  | {
      readonly outcome: 'committed';
      readonly commit: string;
      readonly pushed: boolean;
      readonly leftOut: readonly LeftOut[];
      /** Why it was not pushed though it was asked for. */
      readonly pushError?: string;
    }
  | { readonly outcome: 'nothing-to-commit'; readonly leftOut: readonly LeftOut[] }
  | { readonly outcome: 'refused'; readonly reason: string }
  | NotRead;

const FILE_BYTES = 10 << 20;
const MAX_FILES = 20_000;
const TIMEOUT_MS = 15_000;

/**
 * Seed 002's opt-in behaviour: a commit on the user's own branch, and a push. Leaves out the same files as a
 * checkpoint, never touches a merge or rebase in progress, and does not reject when git fails.
 */
export async function gitCommitForRefresh(folder: string, options: RefreshCommitOptions): Promise<RefreshCommit> {
  const { message, push = false, leave, timeoutMs = TIMEOUT_MS, signal, env = process.env } = options;
  const place = await locateWorktree(createGit({ folder, env, timeMs: timeoutMs, signal }));
  if (place.outcome !== 'located') return place;
  const git = createGit({ folder: place.root, env, timeMs: timeoutMs, signal });

  const operation = await findOperation(place.gitFolder);
  if (operation !== undefined) return { outcome: 'refused', reason: `a ${operation.kind} is under way` };
  const status = await readStatus(git, MAX_FILES);
  if (status.outcome !== 'told') return status;
  if (status.head.branch === undefined) return { outcome: 'refused', reason: 'no branch is checked out' };
  const changed = leave === undefined ? status.files : status.files.filter((file) => !leave(file));
  const { commit } = status.head;
  const { kept, leftOut } = await chooseFiles({
    git,
    root: place.root,
    changes: changed,
    mostBytes: FILE_BYTES,
    commit,
  });
  if (kept.length === 0) return { outcome: 'nothing-to-commit', leftOut };

  const committed = await commitOnly(git, kept, message);
  if (committed.outcome === 'nothing-to-commit') return { ...committed, leftOut };
  if (committed.outcome !== 'printed') return committed;
  const head = await printGit(git, ['rev-parse', 'HEAD']);
  if (head.outcome !== 'printed') return head;
  const pushed = push ? await printGit(git, ['push', '--quiet'], { env: NETWORK }) : undefined;
  return {
    outcome: 'committed',
    commit: head.text.trim(),
    pushed: pushed?.outcome === 'printed',
    leftOut,
    ...(pushed !== undefined && pushed.outcome !== 'printed' && { pushError: explain(pushed) }),
  };
}

/** A push reaches out, which looking at the repository must not. */
const NETWORK = { GIT_ALLOW_PROTOCOL: 'file:git:http:https:ssh' };

/** Leaves other staged changes staged. Files that disappeared since the status was read are not committed. */
async function commitOnly(
  git: Git,
  kept: readonly string[],
  message: string,
): Promise<Printed | { readonly outcome: 'nothing-to-commit' }> {
  const update = ['update-index', '--add', '--remove', '-z', '--stdin'];
  const added = await retryLocked(() => printGit(git, update, { input: kept.map((path) => `${path}\0`).join('') }));
  if (added.outcome !== 'printed') return added;
  const staged = await printGit(git, [
    'diff',
    '--cached',
    '--name-only',
    '--no-renames',
    '--ignore-submodules=none',
    '-z',
  ]);
  if (staged.outcome !== 'printed') return staged;
  const wanted = new Set(kept);
  const paths = staged.text.split('\0').filter((path) => wanted.has(path));
  if (paths.length === 0) return { outcome: 'nothing-to-commit' };
  const folder = await mkdtemp(join(tmpdir(), 'devs-paths-'));
  try {
    const list = join(folder, 'paths');
    await writeFile(list, paths.map((path) => `${path}\0`).join(''), { mode: 0o600 });
    const only = ['--only', `--pathspec-from-file=${list}`, '--pathspec-file-nul'];
    const commit = ['--literal-pathspecs', 'commit', '--quiet', '--no-verify', '--file=-', ...only];
    return await retryLocked(() => printGit(git, commit, { input: message }));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const explain = (failure: NotRead): string => (failure.outcome === 'failed' ? failure.message : failure.outcome);
