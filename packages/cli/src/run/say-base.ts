import type { Settings } from '@devs/core';
import type { Travel } from '@devs/supervisor';
import { CliError } from '../cli-error.js';

/** Whether other machines can have the commit that is checked out. */
export type SaidBase =
  | {
      readonly outcome: 'said';
      readonly commit: string;
      readonly where: string;
      readonly mayBePublic: boolean;
      /** The remote did not have it before. */
      readonly isFirst: boolean;
    }
  | { readonly outcome: 'no-remote' }
  | { readonly outcome: 'not-said'; readonly message: string };

export interface TravelService {
  /** Pushes the commit that is checked out to a ref of devs. */
  sayBase(folder: string, remote: string): Promise<SaidBase>;
  /** Whether the remote answers, by what it says. */
  reach(folder: string, remote: string): Promise<ReachedRemote>;
}

type ReachedRemote =
  | { readonly outcome: 'answers'; readonly where: string; readonly mayBePublic: boolean }
  | { readonly outcome: 'no-remote' }
  | { readonly outcome: 'silent'; readonly message: string };

interface SayDeps {
  readonly loadWorktree: () => Promise<typeof import('@devs/worktree')>;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export const createTravelService = ({ loadWorktree, env }: SayDeps): TravelService => ({
  async sayBase(folder, remote) {
    const { pushWork, readHead, readRemote, taskBaseRef } = await loadWorktree();
    const found = await readRemote({ folder, env, remote });
    const commit = await readHead({ folder, env });
    if (found.outcome !== 'found' || commit === undefined) return { outcome: 'no-remote' };
    const pushed = await pushWork({ folder, env, remote, ref: taskBaseRef(commit), commit });
    const { where, mayBePublic } = found;
    switch (pushed.outcome) {
      case 'pushed':
        return { outcome: 'said', commit, where, mayBePublic, isFirst: pushed.isNew };
      case 'overtaken': // by another who added a task at the same commit
        return { outcome: 'said', commit, where, mayBePublic, isFirst: false };
      case 'secret':
        return { outcome: 'not-said', message: `${pushed.path} looks like it holds a secret` };
      case 'not-pushed':
        return { outcome: 'not-said', message: pushed.message };
    }
  },
  async reach(folder, remote) {
    const { reachRemote, readRemote } = await loadWorktree();
    const found = await readRemote({ folder, env, remote });
    if (found.outcome !== 'found') return { outcome: 'no-remote' };
    const message = await reachRemote({ folder, env, remote });
    const { where, mayBePublic } = found;
    return message === undefined ? { outcome: 'answers', where, mayBePublic } : { outcome: 'silent', message };
  },
});

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
