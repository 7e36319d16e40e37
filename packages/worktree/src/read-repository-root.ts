import type { CloneRequest } from './clone-id.js';
import type { NotRead } from './locate-worktree.js';
import { printGit } from './print-git.js';
import { createGit } from './run-git.js';

export type RepositoryRoot =
  | { readonly outcome: 'found'; readonly commit: string }
  /** The first commit depends on the fetch depth. */
  | { readonly outcome: 'shallow' }
  | { readonly outcome: 'no-commit' }
  | NotRead;

const GIT_MS = 60_000;

/**
 * First commit of the main line. All clones of a project share it, on any branch and after any number of merged
 * histories.
 */
export async function readRepositoryRoot({ folder, env }: CloneRequest): Promise<RepositoryRoot> {
  const git = createGit({ folder, env, timeMs: GIT_MS });
  const shallow = await printGit(git, ['rev-parse', '--is-shallow-repository']);
  if (shallow.outcome !== 'printed') return shallow;
  if (shallow.text.trim() === 'true') return { outcome: 'shallow' };
  const head = await printGit(git, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']);
  if (head.outcome !== 'printed') return head.outcome === 'failed' ? { outcome: 'no-commit' } : head;
  const printed = await printGit(git, ['rev-list', '--first-parent', '--max-parents=0', 'HEAD']);
  return printed.outcome === 'printed' ? { outcome: 'found', commit: printed.text.trim() } : printed;
}
