import { type NotRead, sayNotRead } from '../locate-worktree.js';
import { printGit } from '../print-git.js';
import { commitAt } from '../run-worktree/commits-of.js';
import { NETWORK, openClone, type RemoteRequest } from './network-git.js';

export interface FetchRequest extends RemoteRequest {
  /** Commits to have, each with the ref of the remote that leads to it. */
  readonly work: readonly { readonly commit: string; readonly ref: string }[];
}

export type Fetched =
  | { readonly outcome: 'here' }
  /** The remote answers, and has it no more. */
  | { readonly outcome: 'gone'; readonly commit: string; readonly ref: string }
  | { readonly outcome: 'not-fetched'; readonly message: string };

/** Brings commits of other machines into this clone, where they are missing. Changes no branch and no ref. */
export async function fetchWork(request: FetchRequest): Promise<Fetched> {
  const clone = await openClone(request);
  if (clone.outcome !== 'open') return notFetched(clone);
  const { git } = clone;
  for (const { commit, ref } of request.work) {
    if ((await commitAt(git, commit)) !== undefined) continue;
    const fetched = await printGit(
      git,
      [
        'fetch',
        '--quiet',
        '--no-tags',
        '--no-write-fetch-head',
        '--recurse-submodules=no',
        '--refmap=',
        request.remote,
        ref,
      ],
      { env: NETWORK },
    );
    const isGone = fetched.outcome === 'failed' && /couldn't find remote ref/.test(fetched.message);
    if (fetched.outcome !== 'printed' && !isGone) return notFetched(fetched);
    if (isGone || (await commitAt(git, commit)) === undefined) return { outcome: 'gone', commit, ref };
  }
  return { outcome: 'here' };
}

const notFetched = (failure: NotRead): Fetched => ({ outcome: 'not-fetched', message: sayNotRead(failure) });
