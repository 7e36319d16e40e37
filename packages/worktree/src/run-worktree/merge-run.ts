import { findOperation } from '../find-operation.js';
import { locateWorktree, type NotRead } from '../locate-worktree.js';
import { printGit } from '../print-git.js';
import { readStatus } from '../read-status.js';
import { createGit, type Git } from '../run-git.js';
import { commitAt, conflictedFiles, isIn, whereElse } from './commits-of.js';
import { readLeft } from './read-left.js';
import { readTrust } from './written-past-git.js';

export interface MergeRequest {
  /** The project's folder, where the user's branch is checked out. */
  readonly folder: string;
  readonly branch: string;
  /** The run's own work tree: uncommitted changes there would be left behind. */
  readonly worktree?: string;
  /** What of that is the run's work, where it was looked at before its checks, which may leave files too. */
  readonly left?: readonly string[];
  /** The last commit of the run. */
  readonly tip?: string;
  /** Whether all checks of the run have passed. */
  readonly checksPassed: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal | undefined;
}

export type MergeOutcome =
  | {
      readonly outcome: 'merged';
      readonly into: string;
      readonly commit: string;
      readonly how: 'fast-forward' | 'merge-commit' | 'nothing-new';
    }
  | { readonly outcome: 'refused'; readonly reason: string; readonly advice: string }
  | NotRead;

const GIT_MS = 120_000;

/** Merges a run into the branch that the user has checked out, if that cannot lose any of their changes. */
export async function mergeRun(request: MergeRequest): Promise<MergeOutcome> {
  const { folder, branch, env, signal } = request;
  const place = await locateWorktree(createGit({ folder, env, timeMs: GIT_MS, signal }));
  if (place.outcome !== 'located') return place;
  const git = createGit({ folder: place.root, env, timeMs: GIT_MS, signal });
  const byHand = howByHand(branch);
  if (!request.checksPassed) return refused('a check of the run did not pass', `Look at them, then: ${byHand}`);
  const operation = await findOperation(place.gitFolder);
  if (operation !== undefined) return refused(`a ${operation.kind} is under way here`, `Finish it, then: ${byHand}`);
  const status = await readStatus(git, 1);
  if (status.outcome !== 'told') return status;
  const into = status.head.branch;
  if (into === undefined) return refused('no branch is checked out here', `Check one out, then: ${byHand}`);
  // Untracked files come last.
  if (status.files.some(({ state }) => state !== 'untracked'))
    return refused('there are changes here that are not committed', `Commit or stash them, then: ${byHand}`);
  const trust = await readTrust(git, place.root, branch);
  if (trust.outcome === 'moved') return refused(trust.reason, `Look at it: git log -p ${branch}. Then: ${byHand}`);
  if (trust.outcome !== 'trusted') return trust;
  const before = await head(git);
  if (await isBrought(git, request)) return { outcome: 'merged', into, commit: before, how: 'nothing-new' };
  const behind = await whatStaysBehind(git, request);
  if (behind !== undefined) return behind;

  const forward = await printGit(git, ['merge', '--ff-only', '--quiet', branch]);
  if (forward.outcome === 'printed') {
    const commit = await head(git);
    return { outcome: 'merged', into, commit, how: commit === before ? 'nothing-new' : 'fast-forward' };
  }
  const merged = await printGit(git, ['merge', '--no-edit', '--quiet', branch]);
  if (merged.outcome === 'printed') return { outcome: 'merged', into, commit: await head(git), how: 'merge-commit' };
  const files = await conflictedFiles(git);
  await printGit(git, ['merge', '--abort']);
  if (merged.outcome !== 'failed') return merged;
  const why = files.length === 0 ? `git says: ${merged.message}` : `both changed ${named(files)}`;
  return refused(
    `git could not merge ${branch} into ${into} by itself: ${why}`,
    files.length === 0 ? `Settle that, then: ${byHand}` : `${byHand}, and settle the conflicts`,
  );
}

/** After a merge the branch is gone, with the work tree. */
const isBrought = async (git: Git, { branch, tip, worktree }: MergeRequest): Promise<boolean> =>
  worktree === undefined &&
  tip !== undefined &&
  (await commitAt(git, `refs/heads/${branch}`)) === undefined &&
  (await isIn(git, tip, 'HEAD'));

/** Why the branch is not all of the run's work. */
async function whatStaysBehind(git: Git, request: MergeRequest): Promise<MergeOutcome | undefined> {
  const { branch, worktree, left: known, tip, env, signal } = request;
  if (tip !== undefined && !(await isIn(git, tip, `refs/heads/${branch}`)))
    return refused(`the commits of the run are not on ${branch}`, `Look for them: git branch --contains ${tip}`);
  if (worktree === undefined) return undefined;
  const elsewhere = await whereElse(createGit({ folder: worktree, env, timeMs: GIT_MS, signal }), branch);
  if (elsewhere !== undefined)
    return refused(`the run's work is on ${elsewhere}, and not all on ${branch}`, `Merge it: ${howByHand(elsewhere)}`);
  const left = await readLeft(worktree, { env, signal });
  if (left.outcome !== 'told') return left;
  const path = left.paths.find((candidate) => known === undefined || known.includes(candidate));
  if (path === undefined) return undefined;
  return refused(
    `${path} of the run's work tree is not committed`,
    `Commit it in ${worktree}, or have git ignore it, then: ${howByHand(branch)}`,
  );
}

const MAX_NAMED = 5;

const named = (files: readonly string[]): string =>
  `${files.slice(0, MAX_NAMED).join(', ')}${files.length > MAX_NAMED ? ` and ${files.length - MAX_NAMED} more` : ''}`;

/** The command that a person would type. */
export const howByHand = (branch: string): string => `git merge ${branch}`;

const head = async (git: Git): Promise<string> => {
  const printed = await printGit(git, ['rev-parse', 'HEAD']);
  return printed.outcome === 'printed' ? printed.text.trim() : '';
};

const refused = (reason: string, advice: string): MergeOutcome => ({ outcome: 'refused', reason, advice });
