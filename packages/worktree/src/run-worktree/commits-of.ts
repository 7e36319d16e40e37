import { type NotRead, whyNotRead } from '../locate-worktree.js';
import { printGit } from '../print-git.js';
import type { Git } from '../run-git.js';

export type Answer = { readonly outcome: 'printed'; readonly text: string } | { readonly outcome: 'no' } | NotRead;

/** For a question that git can answer with no, which it does by its exit code alone. A git that does not answer has not said no. */
export async function askGit(git: Git, args: readonly string[]): Promise<Answer> {
  const chunks: Buffer[] = [];
  const run = await git.run(args, (chunk) => void chunks.push(chunk));
  if (run.outcome === 'exited' && run.exitCode === 1 && run.stderr === '') return { outcome: 'no' };
  return whyNotRead(run) ?? { outcome: 'printed', text: Buffer.concat(chunks).toString('utf8').trim() };
}

/** Resolves a name to its commit. */
export const askCommitAt = (git: Git, name: string): Promise<Answer> =>
  askGit(git, ['rev-parse', '--verify', '--quiet', `${name}^{commit}`]);

/** The name of the branch that is checked out. */
export const askBranch = (git: Git): Promise<Answer> => askGit(git, ['symbolic-ref', '--quiet', '--short', 'HEAD']);

const textOf = (answer: Answer): string | undefined => (answer.outcome === 'printed' ? answer.text : undefined);

/** The same where it does not matter why there is none. */
export const commitAt = async (git: Git, name: string): Promise<string | undefined> =>
  textOf(await askCommitAt(git, name));

/** Whether all of `older` is in `newer`. Not where git does not say. */
export const isIn = async (git: Git, older: string, newer: string): Promise<boolean> =>
  (await printGit(git, ['merge-base', '--is-ancestor', older, newer])).outcome === 'printed';

/** The name of the branch that is checked out, where git says it. */
export const branchOf = async (git: Git): Promise<string | undefined> => textOf(await askBranch(git));

/** In a merge that git could not do by itself. */
export async function conflictedFiles(git: Git): Promise<readonly string[]> {
  const printed = await printGit(git, ['diff', '--name-only', '--diff-filter=U', '-z']);
  return printed.outcome === 'printed' ? printed.text.split('\0').filter((path) => path !== '') : [];
}

/** Name of the checked-out state that a branch does not contain. */
export async function whereElse(git: Git, branch: string): Promise<string | undefined> {
  const answer = await askWhereElse(git, branch);
  if (answer.outcome === 'no' || answer.outcome === 'failed') return undefined;
  return textOf(answer) ?? 'what is checked out'; // without an answer from git, assume that something is missing
}

/** `no`: nothing. */
export async function askWhereElse(git: Git, branch: string): Promise<Answer> {
  const head = await askCommitAt(git, 'HEAD');
  if (head.outcome !== 'printed') return head;
  const isThere = await askGit(git, ['merge-base', '--is-ancestor', head.text, `refs/heads/${branch}`]);
  if (isThere.outcome === 'printed') return { outcome: 'no' };
  // Where the branch is missing git says so: then it lacks all of it.
  if (isThere.outcome !== 'no' && isThere.outcome !== 'failed') return isThere;
  return { outcome: 'printed', text: (await branchOf(git)) ?? head.text.slice(0, 10) };
}
