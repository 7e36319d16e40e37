import type { CloneRequest } from '../clone-id.js';
import { createGit, type Git } from '../run-git.js';
import { commitAt, isIn } from './commits-of.js';

const GIT_MS = 30_000;

/** How far a run came in another clone. */
export interface ElsewhereWork {
  /** Missing where it worked in the user's own folder. */
  readonly branch?: string;
  /** Missing if it was never recorded. */
  readonly commit?: string;
}

export type MissingWork = { readonly outcome: 'missing-work' } & ElsewhereWork & {
    /** This clone has the branch, and not all of its commits. */
    readonly isBehind?: true;
  };

/** Work of a run that continued in another clone and is missing here. Its branch may be here, or only its commits. */
export async function findMissingWork(git: Git, elsewhere: ElsewhereWork): Promise<MissingWork | undefined> {
  const { branch, commit } = elsewhere;
  const missing = { outcome: 'missing-work', ...elsewhere } as const;
  if (commit === undefined) return missing;
  const tip = branch === undefined ? undefined : await commitAt(git, `refs/heads/${branch}`);
  if (tip === undefined) return (await commitAt(git, commit)) === undefined ? missing : undefined;
  return (await isIn(git, commit, tip)) ? undefined : { ...missing, isBehind: true };
}

/** The same for a run in the user's own folder: the checkout must contain its commits. */
export async function findMissingHere({
  folder,
  env,
  elsewhere,
}: CloneRequest & { readonly elsewhere: ElsewhereWork }): Promise<MissingWork | undefined> {
  const git = createGit({ folder, env, timeMs: GIT_MS });
  const { commit } = elsewhere;
  if (commit !== undefined && (await isIn(git, commit, 'HEAD'))) return undefined;
  return { outcome: 'missing-work', ...elsewhere };
}
