import type { CloneRequest } from './clone-id.js';
import { createGit } from './run-git.js';
import { commitAt } from './run-worktree/commits-of.js';

const GIT_MS = 10_000;

/** The commit that is checked out. `undefined` where there is none, or git does not say. */
export const readHead = ({ folder, env }: CloneRequest): Promise<string | undefined> =>
  commitAt(createGit({ folder, env, timeMs: GIT_MS }), 'HEAD');
