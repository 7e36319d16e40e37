import { readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { commonFolder } from '../change-worktrees.js';
import { type Located, locateWorktree, type NotRead } from '../locate-worktree.js';
import { pinAnew } from '../pinned-git.js';
import { printGit } from '../print-git.js';
import { retryLocked } from '../retry-locked.js';
import { createGit, type Git } from '../run-git.js';
import { baseRef, isRunPlace, oldRunsFolder, projectIn, type RunPlace, runsFolder } from './run-place.js';

export interface FindRequest {
  /** The project's folder. */
  readonly folder: string;
  readonly runId: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal | undefined;
}

export interface FoundRunWorktree {
  readonly top: string;
  /** The project's folder in it. */
  readonly path: string;
}

/** `begun`: an unfinished work tree without any work · `unread`: git did not answer. */
export type Remains =
  | { readonly kind: 'ready' | 'begun'; readonly top: string }
  | { readonly kind: 'unread'; readonly top: string; readonly why: NotRead };

const GIT_MS = 60_000;
/** In the git folder of this work tree only: marks it as complete, so that it may contain work. */
export const READY = 'devs-ready';

/** The work tree of a run, by what git knows: paths that were stored may be redacted, or be those of before a move. */
export async function findRunWorktree(request: FindRequest): Promise<FoundRunWorktree | undefined> {
  const { env, runId, signal } = request;
  const folder = await realpath(request.folder).catch(() => undefined);
  if (folder === undefined) return undefined;
  const place = await locateWorktree(createGit({ folder, env, timeMs: GIT_MS, signal }));
  if (place.outcome !== 'located') return undefined;
  const git = createGit({ folder: place.root, env, timeMs: GIT_MS, signal });
  const remains = await findRemains(git, { root: place.root, folder, runId }, request);
  const ready = remains.find(({ kind }) => kind === 'ready');
  return ready && { top: ready.top, path: projectIn(ready.top, { root: place.root, folder }) };
}

/** Finds the remains of a run's work tree. Repairs a broken link to git, e.g. after the project was moved. */
export async function findRemains(
  git: Git,
  { root, folder, runId }: RunPlace,
  { env, signal }: Pick<FindRequest, 'env' | 'signal'>,
): Promise<readonly Remains[]> {
  const known = (await listWorktrees(git)).filter((top) => isRunPlace(top, runId));
  const find = (tops: readonly string[]) => Promise.all(tops.map((top) => realpath(top).catch(() => undefined)));
  const usual = await find([runsFolder(folder, env), oldRunsFolder(folder)].map((parent) => join(parent, runId)));
  const tops = [...(await find(known)), ...usual];
  const isBegun = (await printGit(git, ['rev-parse', '--verify', '--quiet', baseRef(runId)])).outcome === 'printed';
  const common = await commonFolder(git, root);
  const remains: Remains[] = [];
  for (const top of new Set(tops)) {
    if (top === undefined) continue;
    const own = await locate(git, top, common, { env, signal });
    if (own !== undefined && own.outcome !== 'located') {
      remains.push({ kind: 'unread', top, why: own });
      continue;
    }
    // Of the repository that this one is a copy of.
    if (own !== undefined && common !== undefined && dirname(dirname(own.gitFolder)) !== common) continue;
    const owner = own && (await readOwner(own.gitFolder));
    if (typeof owner === 'object') {
      remains.push({ kind: 'unread', top, why: owner });
      continue;
    }
    // Of a project of the same repository, with a run of the same name; those of before say nothing.
    if (owner !== undefined && owner !== '' && owner !== ownerOf({ root, folder })) continue;
    // The user may have a work tree in a folder of such a name, too.
    if (owner === undefined && !isBegun && !usual.includes(top)) continue;
    remains.push({ kind: owner === undefined ? 'begun' : 'ready', top });
  }
  return remains;
}

/** Whose run it is: the project's folder in the repository. */
export const ownerOf = ({ root, folder }: Omit<RunPlace, 'runId'>): string => relative(root, folder) || '.';

/** `undefined` where it was never ready. */
const readOwner = (gitFolder: string): Promise<string | NotRead | undefined> =>
  readFile(join(gitFolder, READY), 'utf8').catch((error: NodeJS.ErrnoException) =>
    isMissing(error) ? undefined : { outcome: 'failed', message: error.message },
  );

const isMissing = ({ code }: NodeJS.ErrnoException) => code === 'ENOENT' || code === 'ENOTDIR';

/** The top folders of all work trees of the repository. */
export async function listWorktrees(git: Git): Promise<readonly string[]> {
  const printed = await retryLocked(() => printGit(git, ['worktree', 'list', '--porcelain']));
  if (printed.outcome !== 'printed') return [];
  return [...printed.text.matchAll(/^worktree (.+)$/gm)].map(([, top]) => top ?? '');
}

type How = Pick<FindRequest, 'env' | 'signal'>;

/** `undefined` where it is no work tree, and cannot be mended. */
async function locate(git: Git, top: string, common: string | undefined, how: How): Promise<Located | undefined> {
  const own = await locateOnce(top, how);
  if (own !== undefined) return own;
  const repaired = await retryLocked(() => printGit(git, ['worktree', 'repair', top]));
  if (repaired.outcome !== 'printed' && repaired.outcome !== 'failed') return repaired;
  if (common !== undefined) await pinAnew(top, common); // the repository may have been moved
  return locateOnce(top, how);
}

async function locateOnce(top: string, { env, signal }: How): Promise<Located | undefined> {
  const link = await stat(join(top, '.git')).catch((error: NodeJS.ErrnoException) => error);
  if (link instanceof Error) return isMissing(link) ? undefined : { outcome: 'failed', message: link.message };
  const own = await locateWorktree(createGit({ folder: top, env, timeMs: GIT_MS, signal }));
  if (own.outcome === 'located') return own.root === top ? own : undefined;
  return own.outcome === 'no-repository' || own.outcome === 'no-work-tree' ? undefined : own;
}
