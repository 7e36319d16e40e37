import { openHiddenRepository } from '../checkpoint/hidden-repository.js';
import { type NotRead, sayNotRead } from '../locate-worktree.js';
import { printGit } from '../print-git.js';
import type { Git } from '../run-git.js';
import { findSecret } from './find-secret.js';
import { NETWORK, openClone, type RemoteRequest } from './network-git.js';

export interface PushRequest extends RemoteRequest {
  readonly ref: string;
  readonly commit: string;
  /** Commits that the remote has, such as the base of the work: what they hold is not looked at again. */
  readonly known?: readonly string[];
  /**
   * Asked after the remote was read and before it is changed: whether the caller still may. A machine that lost
   * the right meanwhile is stopped by the value that was read.
   */
  mayPush?(): Promise<boolean>;
}

export type Pushed =
  /** `isNew`: the remote had another commit there, or none. */
  | { readonly outcome: 'pushed'; readonly isNew: boolean }
  /** The remote was changed by another since, or the caller has no right any more. */
  | { readonly outcome: 'overtaken' }
  /** A file that must not leave this machine. */
  | { readonly outcome: 'secret'; readonly path: string }
  /** The remote did not take it; `message` says why. */
  | { readonly outcome: 'not-pushed'; readonly message: string };

const NOTHING = '0'.repeat(40);

/**
 * Pushes a commit to a ref of devs. The ref is replaced only if it is as it was read, so that of two pushers the later
 * one is refused and not the work of the first one lost.
 */
export async function pushWork(request: PushRequest): Promise<Pushed> {
  const { remote, ref, commit, known = [], mayPush } = request;
  const clone = await openClone(request);
  if (clone.outcome !== 'open') return notPushed(clone);
  const { git } = clone;
  const env = await withCheckpoints(git);
  const found = await findSecret(git, { commit, known: await present(git, known), remote, options: { env } });
  if (found.outcome === 'secret') return found;
  if (found.outcome !== 'none') return notPushed(found);
  const there = await remoteValue(git, remote, ref);
  if ('outcome' in there) return notPushed(there);
  if (there.commit === commit)
    return (await mayPush?.()) === false ? { outcome: 'overtaken' } : { outcome: 'pushed', isNew: false };
  if ((await mayPush?.()) === false) return { outcome: 'overtaken' };
  const lease = `--force-with-lease=${ref}:${there.commit === NOTHING ? '' : there.commit}`;
  const pushed = await printGit(
    git,
    [
      'push',
      '--quiet',
      '--no-verify',
      '--no-follow-tags',
      '--recurse-submodules=no',
      lease,
      remote,
      `${commit}:${ref}`,
    ],
    { env: { ...env, ...NETWORK } },
  );
  if (pushed.outcome === 'printed') return { outcome: 'pushed', isNew: true };
  if (pushed.outcome === 'failed' && OVERTAKEN.test(pushed.message)) return { outcome: 'overtaken' };
  return notPushed(pushed);
}

const OVERTAKEN = /stale info|\[rejected\]|\[remote rejected\].*(?:cannot lock ref|reference already exists)/;

/** The commit that a ref of the remote names; zeros for none. */
async function remoteValue(git: Git, remote: string, ref: string): Promise<{ readonly commit: string } | NotRead> {
  const listed = await printGit(git, ['ls-remote', '--quiet', remote, ref], { env: NETWORK });
  if (listed.outcome !== 'printed') return listed;
  const line = listed.text.split('\n').find((candidate) => candidate.endsWith(`\t${ref}`));
  return { commit: line?.split('\t')[0] ?? NOTHING };
}

/** Removes refs of devs from the remote; those that are gone are no matter. The reason where that failed. */
export async function dropWork(
  request: RemoteRequest & { readonly refs: readonly string[] },
): Promise<string | undefined> {
  if (request.refs.length === 0) return undefined;
  const clone = await openClone(request);
  if (clone.outcome !== 'open') return sayNotRead(clone);
  const args = ['push', '--quiet', '--no-verify', request.remote, ...request.refs.map((ref) => `:${ref}`)];
  const pushed = await printGit(clone.git, args, { env: NETWORK });
  return pushed.outcome === 'printed' ||
    /remote ref does not exist/.test(pushed.outcome === 'failed' ? pushed.message : '')
    ? undefined
    : sayNotRead(pushed);
}

/** Checkpoints are objects of a repository of their own. */
async function withCheckpoints(git: Git): Promise<Readonly<Record<string, string>>> {
  const hidden = await openHiddenRepository(git);
  return hidden.outcome === 'open' ? { GIT_ALTERNATE_OBJECT_DIRECTORIES: `${hidden.folder}/objects` } : {};
}

async function present(git: Git, commits: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const commit of commits)
    if ((await printGit(git, ['cat-file', '-e', `${commit}^{commit}`])).outcome === 'printed') found.push(commit);
  return found;
}

const notPushed = (failure: NotRead): Pushed => ({ outcome: 'not-pushed', message: sayNotRead(failure) });
