import { printGit } from '../print-git.js';
import type { Git } from '../run-git.js';

/** The commit that a name stands for. */
export async function commitAt(git: Git, name: string): Promise<string | undefined> {
  const printed = await printGit(git, ['rev-parse', '--verify', '--quiet', `${name}^{commit}`]);
  return printed.outcome === 'printed' ? printed.text.trim() : undefined;
}

/** Whether all of `older` is in `newer`. Not where git does not say. */
export const isIn = async (git: Git, older: string, newer: string): Promise<boolean> =>
  (await printGit(git, ['merge-base', '--is-ancestor', older, newer])).outcome === 'printed';

/** The name of the branch that is checked out. */
export async function branchOf(git: Git): Promise<string | undefined> {
  const printed = await printGit(git, ['symbolic-ref', '--quiet', '--short', 'HEAD']);
  return printed.outcome === 'printed' ? printed.text.trim() : undefined;
}

/** In a merge that git could not do by itself. */
export async function conflictedFiles(git: Git): Promise<readonly string[]> {
  const printed = await printGit(git, ['diff', '--name-only', '--diff-filter=U', '-z']);
  return printed.outcome === 'printed' ? printed.text.split('\0').filter((path) => path !== '') : [];
}

/** What the work tree has checked out and a branch lacks: the name of it. */
export async function whereElse(git: Git, branch: string): Promise<string | undefined> {
  const head = await commitAt(git, 'HEAD');
  if (head === undefined || (await isIn(git, head, `refs/heads/${branch}`))) return undefined;
  return (await branchOf(git)) ?? head.slice(0, 10);
}
