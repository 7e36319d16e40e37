import type { Settings } from '@devs/core';
import type { Travel } from '@devs/supervisor';
import { CliError } from '../cli-error.js';

interface TravelDeps {
  readonly loadWorktree: () => Promise<typeof import('@devs/worktree')>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly hostName: string;
}

/** How work reaches the other machines of a shared store. Without a remote it could not: then it is refused. */
export async function travelOf(
  { loadWorktree, env, hostName }: TravelDeps,
  { fleet: { remote }, worktree }: Pick<Settings, 'fleet' | 'worktree'>,
  folder: string,
): Promise<Travel | undefined> {
  if (worktree === 'here') return undefined; // it is the user's own folder: nothing of it is sent anywhere
  const { readRemote } = await loadWorktree();
  const found = await readRemote({ folder, env, remote });
  if (found.outcome === 'found') return { remote, where: found.where, machine: hostName };
  if (found.outcome === 'no-remote')
    throw new CliError(
      `a store in Redis is shared by machines, and their work travels through git: this clone has no remote "${remote}". Add one (git remote add ${remote} URL), name another one with --set fleet.remote=NAME, or leave out --store.`,
    );
  if (found.outcome === 'no-repository' || found.outcome === 'no-work-tree')
    throw new CliError(
      'a store in Redis is shared by machines, and their work travels through git: this folder is in no repository. Run git init, or leave out --store.',
    );
  throw new CliError(`git does not say where ${remote} is (${found.outcome}). Try again.`);
}
