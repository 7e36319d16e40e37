import { findOperation } from '../find-operation.js';
import { locateWorktree, type NotRead } from '../locate-worktree.js';
import { printGit } from '../print-git.js';
import { readStatus } from '../read-status.js';
import { createGit, type Git } from '../run-git.js';

export interface MergeRequest {
  /** The project's folder, where the user's branch is checked out. */
  readonly folder: string;
  readonly branch: string;
  /** Of the run's own work tree: what is not committed there would stay behind. */
  readonly worktree?: string;
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

/** Brings the work of a run into the branch that the user has checked out, where nothing of his can be lost by it. */
export async function mergeRun(request: MergeRequest): Promise<MergeOutcome> {
  const { folder, branch, worktree, env, signal } = request;
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
  if (status.files.some(({ state }) => state !== 'untracked') || status.more > 0)
    return refused('there are changes here that are not committed', `Commit or stash them, then: ${byHand}`);
  const left = worktree === undefined ? undefined : await uncommittedIn(worktree, env);
  if (left !== undefined)
    return refused(`${left} of the run's work tree is not committed`, `Commit it in ${worktree}.`);

  const before = await head(git);
  const forward = await printGit(git, ['merge', '--ff-only', '--quiet', branch]);
  if (forward.outcome === 'printed') {
    const commit = await head(git);
    return { outcome: 'merged', into, commit, how: commit === before ? 'nothing-new' : 'fast-forward' };
  }
  const merged = await printGit(git, ['merge', '--no-edit', '--quiet', branch]);
  if (merged.outcome === 'printed') return { outcome: 'merged', into, commit: await head(git), how: 'merge-commit' };
  await printGit(git, ['merge', '--abort']);
  if (merged.outcome !== 'failed') return merged;
  return refused(
    `git could not merge ${branch} into ${into} by itself: both changed the same places`,
    `${byHand}, and settle the conflicts`,
  );
}

/** For people: what they would type. */
export const howByHand = (branch: string): string => `git merge ${branch}`;

const head = async (git: Git): Promise<string> => {
  const printed = await printGit(git, ['rev-parse', 'HEAD']);
  return printed.outcome === 'printed' ? printed.text.trim() : '';
};

async function uncommittedIn(folder: string, env: MergeRequest['env']): Promise<string | undefined> {
  const status = await readStatus(createGit({ folder, env, timeMs: GIT_MS }), 1);
  return status.outcome === 'told' ? status.files[0]?.path : undefined;
}

const refused = (reason: string, advice: string): MergeOutcome => ({ outcome: 'refused', reason, advice });
