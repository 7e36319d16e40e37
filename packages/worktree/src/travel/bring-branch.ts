import { printGit } from '../print-git.js';
import { commitAt } from '../run-worktree/commits-of.js';
import { runBranch } from '../run-worktree/run-place.js';
import { type Fetched, fetchWork } from './fetch-work.js';
import { openClone, type RemoteRequest } from './network-git.js';
import { runRef } from './refs.js';

/** Has the branch of a run that was done on another machine in this clone. An existing branch stays as it is. */
export async function bringBranch(
  request: RemoteRequest & { readonly runId: string; readonly commit: string },
): Promise<Fetched> {
  const { runId, commit } = request;
  const clone = await openClone(request);
  if (clone.outcome !== 'open') return { outcome: 'not-fetched', message: clone.outcome };
  const branch = runBranch(runId);
  if ((await commitAt(clone.git, `refs/heads/${branch}`)) !== undefined) return { outcome: 'here' };
  const fetched = await fetchWork({ ...request, work: [{ commit, ref: runRef(runId) }] });
  if (fetched.outcome !== 'here') return fetched;
  const made = await printGit(clone.git, ['branch', '--no-track', branch, commit]);
  return made.outcome === 'printed' ? fetched : { outcome: 'not-fetched', message: made.outcome };
}
