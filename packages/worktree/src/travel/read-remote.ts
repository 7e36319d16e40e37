import { type NotRead, sayNotRead } from '../locate-worktree.js';
import { printGit } from '../print-git.js';
import { NETWORK, openClone, type RemoteRequest } from './network-git.js';

export type Remote =
  | {
      readonly outcome: 'found';
      /** Where it is, without user and password. */
      readonly where: string;
      /** On a service where repositories are often open to everybody. */
      readonly mayBePublic: boolean;
    }
  | { readonly outcome: 'no-remote' }
  | NotRead;

/** Where the remote of a clone is. Does not reach out. */
export async function readRemote(request: RemoteRequest): Promise<Remote> {
  const clone = await openClone(request);
  if (clone.outcome !== 'open') return clone;
  const printed = await printGit(clone.git, ['remote', 'get-url', '--push', request.remote]);
  if (printed.outcome === 'failed') return { outcome: 'no-remote' };
  if (printed.outcome !== 'printed') return printed;
  const where = withoutUser(printed.text.trim());
  return { outcome: 'found', where, mayBePublic: PUBLIC.test(where) };
}

/** Whether the remote answers; the reason if not. */
export async function reachRemote(request: RemoteRequest): Promise<string | undefined> {
  const clone = await openClone(request);
  if (clone.outcome !== 'open') return sayNotRead(clone);
  const asked = await printGit(clone.git, ['ls-remote', '--quiet', request.remote, 'refs/devs/none'], {
    env: NETWORK,
  });
  return asked.outcome === 'printed' ? undefined : sayNotRead(asked);
}

const withoutUser = (url: string): string => url.replace(/^([a-z+]+:\/\/)[^/@]*@/i, '$1');

const PUBLIC = /(?:^|[/@.])(?:github\.com|gitlab\.com|bitbucket\.org|codeberg\.org|sr\.ht)[:/]/i;
