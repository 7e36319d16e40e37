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
