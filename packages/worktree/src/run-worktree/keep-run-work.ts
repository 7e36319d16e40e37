import type { LeftWork } from '@devs/core';
import { gitCommitForRefresh, type RefreshCommit } from '../checkpoint/git-commit-for-refresh.js';
import { findOperation } from '../find-operation.js';
import { locateWorktree, type NotRead, sayNotRead } from '../locate-worktree.js';
import { printGit } from '../print-git.js';
import { createGit, type Git } from '../run-git.js';
import { type Answer, askBranch, askGit, askWhereElse, branchOf, commitAt, isIn } from './commits-of.js';
import { readCopied } from './copied-files.js';
import { readLeft } from './read-left.js';
import { readTrust } from './written-past-git.js';

export interface KeepRequest {
  /** The run's folder, in its work tree. */
  readonly folder: string;
  readonly branch: string;
  readonly message: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal | undefined;
}

const GIT_MS = 60_000;

export interface KeptWork {
  /** Work that is not on the branch of the run. */
  readonly left: readonly LeftWork[];
  /**
   * Why some work is missing or unknown: git failed, did not answer, or must not commit here. Files left out on
   * purpose are not a failure.
   */
  readonly failure?: string;
}

/** Commits the work in a run's work tree to its branch and reports the rest. Copied files do not count as work. */
export async function keepRunWork(request: KeepRequest): Promise<KeptWork> {
  const { folder, branch, message, env, signal } = request;
  const git = createGit({ folder, env, timeMs: GIT_MS, signal });
  const place = await locateWorktree(git);
  if (place.outcome !== 'located') return unknown(place);
  const target = await leadsTo(git, branch);
  if (target.outcome === 'no' && (await findOperation(place.gitFolder)) === undefined)
    await returnToBranch(git, branch);
  const leave = await readCopied(place.gitFolder);
  const how = { message, env, leave, timeoutMs: GIT_MS, ...(signal === undefined ? {} : { signal }) };
  const committed = (await whyNotHere(git, place.root, branch)) ?? (await gitCommitForRefresh(folder, how));
  const left = await readLeft(folder, { env, signal });
  if (left.outcome !== 'told') return unknown(left);
  const elsewhere = await askWhereElse(createGit({ folder, env, timeMs: GIT_MS, signal }), branch);
  const files = left.paths.map((what) => ({ what, why: whyLeft(what, committed) }));
  const commits = commitsLeft(elsewhere, branch);
  const failure = (files.length > 0 ? whyNotCommitted(committed) : undefined) ?? commits[0]?.why;
  return { left: [...commits, ...files], ...(failure === undefined ? {} : { failure }) };
}

function whyNotCommitted(committed: RefreshCommit): string | undefined {
  if (committed.outcome === 'committed' || committed.outcome === 'nothing-to-commit') return undefined;
  return committed.outcome === 'refused' ? committed.reason : saysGit(committed);
}

function commitsLeft(elsewhere: Answer, branch: string): readonly LeftWork[] {
  if (elsewhere.outcome === 'no') return [];
  return elsewhere.outcome === 'printed'
    ? [{ what: `the commits of ${elsewhere.text}`, why: `${branch} is not a part of them` }]
    : [{ what: 'the commits of its work tree', why: saysGit(elsewhere) }];
}

const unknown = (failure: NotRead): KeptWork => ({
  left: [{ what: 'what is not committed', why: saysGit(failure) }],
  failure: saysGit(failure),
});

const saysGit = (failure: NotRead): string => `git says: ${sayNotRead(failure)}`;

type NotHere = Extract<RefreshCommit, { outcome: 'refused' }> | NotRead;

/** An agent can check out any branch by writing git's files, even the user's. Nothing is committed there. */
async function whyNotHere(git: Git, root: string, branch: string): Promise<NotHere | undefined> {
  const target = await leadsTo(git, branch);
  if (target.outcome === 'printed')
    return { outcome: 'refused', reason: `${branch} is no branch of its own any more: it leads to ${target.text}` };
  if (target.outcome !== 'no') return target;
  const trust = await readTrust(git, root, branch);
  if (trust.outcome === 'moved') return { outcome: 'refused', reason: trust.reason };
  if (trust.outcome !== 'trusted') return trust;
  const current = await askBranch(git);
  if (current.outcome === 'no') return undefined;
  if (current.outcome !== 'printed') return current;
  return current.text === branch
    ? undefined
    : { outcome: 'refused', reason: `${current.text} is checked out, not ${branch}` };
}

/** Target of a branch that is a symbolic ref: commits would go there. */
const leadsTo = (git: Git, branch: string): Promise<Answer> =>
  askGit(git, ['symbolic-ref', '--quiet', `refs/heads/${branch}`]);

/**
 * An agent may have created another branch or detached the head. If that continues from the run's branch, the run's
 * branch follows.
 */
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
    default:
      return whyNotCommitted(committed) ?? '';
  }
}
