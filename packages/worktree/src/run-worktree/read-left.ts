import { locateWorktree, type NotRead } from '../locate-worktree.js';
import { readStatus } from '../read-status.js';
import { createGit } from '../run-git.js';
import { readCopied } from './copied-files.js';

export type Left = { readonly outcome: 'told'; readonly paths: readonly string[] } | NotRead;

const GIT_MS = 60_000;
const MAX_FILES = 20_000;

/** Uncommitted files in a run's work tree, without copied files. */
export async function readLeft(
  folder: string,
  {
    env,
    signal,
  }: { readonly env: Readonly<Record<string, string | undefined>>; readonly signal?: AbortSignal | undefined },
): Promise<Left> {
  const git = createGit({ folder, env, timeMs: GIT_MS, signal });
  const place = await locateWorktree(git);
  if (place.outcome !== 'located') return place;
  const status = await readStatus(git, MAX_FILES);
  if (status.outcome !== 'told') return status;
  const isCopied = await readCopied(place.gitFolder);
  return { outcome: 'told', paths: status.files.filter((file) => !isCopied(file)).map(({ path }) => path) };
}
