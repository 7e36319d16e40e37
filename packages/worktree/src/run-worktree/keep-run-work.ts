import type { LeftWork } from '@devs/core';
import { gitCommitForRefresh, type RefreshCommit } from '../checkpoint/git-commit-for-refresh.js';
import { findOperation } from '../find-operation.js';
import { locateWorktree } from '../locate-worktree.js';
import { printGit } from '../print-git.js';
import { createGit, type Git } from '../run-git.js';
import { branchOf, commitAt, isIn, whereElse } from './commits-of.js';
import { readCopied } from './copied-files.js';
import { readLeft } from './read-left.js';

export interface KeepRequest {
  /** The run's folder, in its work tree. */
  readonly folder: string;
  readonly branch: string;
  readonly message: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal | undefined;
}

const GIT_MS = 60_000;

/** Brings what was done in a run's work tree to its branch, and says what is not there. What was copied into it is no work. */
export async function keepRunWork(request: KeepRequest): Promise<readonly LeftWork[]> {
  const { folder, branch, message, env, signal } = request;
  const git = createGit({ folder, env, timeMs: GIT_MS, signal });
  const place = await locateWorktree(git);
  if (place.outcome !== 'located') return [{ what: 'what is not committed', why: `git says: ${place.outcome}` }];
  const isPlain = (await leadsTo(git, branch)) === undefined;
  if (isPlain && (await findOperation(place.gitFolder)) === undefined) await returnToBranch(git, branch);
  const leave = await readCopied(place.gitFolder);
  const reason = await whyNotHere(git, branch);
  const committed: RefreshCommit =
    reason === undefined
      ? await gitCommitForRefresh(folder, { message, env, leave, ...(signal === undefined ? {} : { signal }) })
      : { outcome: 'refused', reason };
  const left = await readLeft(folder, { env, signal });
  const elsewhere = await whereElse(git, branch);
  return [
    ...(elsewhere === undefined
      ? []
      : [{ what: `the commits of ${elsewhere}`, why: `${branch} is not a part of them` }]),
    ...(left.outcome === 'told'
      ? left.paths.map((what) => ({ what, why: whyLeft(what, committed) }))
      : [{ what: 'what is not committed', why: `git does not say what that is: ${left.outcome}` }]),
  ];
}

/** An agent can have any branch checked out, also the user's, by what it writes into git's files: nothing is committed there. */
async function whyNotHere(git: Git, branch: string): Promise<string | undefined> {
  const target = await leadsTo(git, branch);
  if (target !== undefined) return `${branch} is no branch of its own any more: it leads to ${target}`;
  const current = await branchOf(git);
  return current === undefined || current === branch ? undefined : `${current} is checked out, not ${branch}`;
}

/** Where the branch is only another name for a ref: what is committed to it would go there. */
async function leadsTo(git: Git, branch: string): Promise<string | undefined> {
  const printed = await printGit(git, ['symbolic-ref', '--quiet', `refs/heads/${branch}`]);
  return printed.outcome === 'printed' ? printed.text.trim() : undefined;
}

/** An agent may have made a branch of its own, or have none checked out: where that goes on from the run's, the run's goes along. */
async function returnToBranch(git: Git, branch: string): Promise<void> {
  if ((await branchOf(git)) === branch) return;
  const ref = `refs/heads/${branch}`;
  const [head, tip] = [await commitAt(git, 'HEAD'), await commitAt(git, ref)];
  if (head === undefined || (tip !== undefined && !(await isIn(git, tip, head)))) return;
  const moved = await printGit(git, ['update-ref', ref, head, ...(tip === undefined ? [] : [tip])]);
  // Of the same commit: no file changes by it.
  if (moved.outcome === 'printed') await printGit(git, ['symbolic-ref', 'HEAD', ref]);
}

function whyLeft(path: string, committed: RefreshCommit): string {
  switch (committed.outcome) {
    case 'committed':
    case 'nothing-to-commit':
      return committed.leftOut.find((file) => file.path === path)?.reason ?? 'written after that';
    case 'refused':
      return committed.reason;
    case 'failed':
      return `git says: ${committed.message.split('\n').find((line) => line.trim() !== '') ?? ''}`;
    default:
      return `git says: ${committed.outcome}`;
  }
}
