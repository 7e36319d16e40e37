import { appendFile, mkdir, readFile, realpath } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { NotRead } from '../locate-worktree.js';
import { printGit } from '../print-git.js';
import { retryLocked } from '../retry-locked.js';
import { createGit, type Git } from '../run-git.js';
import { commitAt } from './commits-of.js';
import { discardWorktree, forgetMissing } from './discard-worktree.js';
import { findRemains } from './find-run-worktree.js';
import type { RunWorktreeRequest } from './make-run-worktree.js';
import { runBranch, runsFolder } from './run-place.js';

const PATTERN = '.devs/';
const SPELLINGS = ['/.devs/', '.devs/', '.devs', '/.devs'];

/**
 * Hides `.devs/` from git through `.git/info/exclude`, which is never committed. Without it the folder merely shows up
 * in `git status`.
 */
async function excludeOwnFolder(git: Git, root: string): Promise<void> {
  const printed = await printGit(git, ['rev-parse', '--git-path', 'info/exclude']);
  if (printed.outcome !== 'printed') return;
  const file = resolve(root, printed.text.trimEnd());
  const content = await readFile(file, 'utf8').catch(() => '');
  if (content.split(/\r?\n/).some((line) => SPELLINGS.includes(line.trim()))) return;
  try {
    await mkdir(dirname(file), { recursive: true });
    await appendFile(file, `${content === '' || content.endsWith('\n') ? '' : '\n'}${PATTERN}\n`);
  } catch {
    // not writable: the user sees the folder, no more
  }
}

export type Placed =
  /** Made before, and ready. */
  | { readonly outcome: 'found'; readonly top: string }
  /** On its branch, without any files yet. */
  | { readonly outcome: 'added'; readonly top: string }
  /** No longer a work tree of the repository, but it contains work. */
  | { readonly outcome: 'damaged'; readonly path: string }
  | NotRead;

const GIT_MS = 120_000;

/** Registers a run's work tree in the repository. Files follow later, since other processes wait for this step. */
export async function placeWorktree(
  request: RunWorktreeRequest,
  { root, folder, base }: { readonly root: string; readonly folder: string; readonly base: string },
): Promise<Placed> {
  const { runId, env, signal } = request;
  const git = createGit({ folder: root, env, timeMs: GIT_MS, signal });
  const remains = await findRemains(git, { root, folder, runId }, request);
  const ready = remains.find(({ kind }) => kind === 'ready');
  if (ready !== undefined) return { outcome: 'found', top: ready.top };
  const [left] = remains;
  for (const found of remains) if (found.kind === 'unread') return found.why; // it may contain work
  if (left !== undefined && request.wasMade === true && request.moved === undefined)
    return { outcome: 'damaged', path: left.top };
  await excludeOwnFolder(git, root);
  const parent = runsFolder(folder, env);
  try {
    await mkdir(parent, { recursive: true, mode: 0o700 });
  } catch (error) {
    return { outcome: 'failed', message: `${parent} cannot be made: ${String(error)}` };
  }
  const top = join(await realpath(parent), runId);
  for (const { top: begun } of remains) await discardWorktree(git, begun);
  await forgetMissing(git, top);
  const added = await retryLocked(() =>
    addWorktree(git, {
      top,
      branch: runBranch(runId),
      base: request.moved?.commit ?? request.elsewhere?.commit ?? base,
      // A new run has no work on its branch yet: an existing branch was put there by someone else.
      isNew: request.wasMade !== true && request.elsewhere === undefined,
    }),
  );
  return added.outcome === 'printed' ? { outcome: 'added', top } : added;
}

interface Addition {
  readonly top: string;
  readonly branch: string;
  readonly base: string;
  /** The branch starts at the base, even if a branch of that name exists. */
  readonly isNew: boolean;
}

/** Safe to repeat: a failed attempt may have created the branch. */
export async function addWorktree(git: Git, { top, branch, base, isNew }: Addition) {
  const isThere = !isNew && (await commitAt(git, `refs/heads/${branch}`)) !== undefined;
  const where = isThere ? [top, branch] : ['--no-track', '-B', branch, top, base];
  return printGit(git, ['worktree', 'add', '--quiet', '--no-checkout', ...where]);
}
