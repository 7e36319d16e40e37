import { mkdir, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { locateWorktree, type NotRead } from '../locate-worktree.js';
import { type Printed, printGit } from '../print-git.js';
import { readStatus } from '../read-status.js';
import { createGit, type Git } from '../run-git.js';
import type { ChangedFile } from '../worktree.js';
import { copyIgnored } from './copy-ignored.js';
import { excludeOwnFolder } from './exclude-own-folder.js';
import { type CommandRan, runCommand } from './run-command.js';
import { baseRef, runBranch, runPlace } from './run-place.js';

export interface RunWorktreeRequest {
  /** The project's folder. */
  readonly folder: string;
  readonly runId: string;
  /** Ignored files that it gets, as paths from the project's folder. */
  readonly copy: readonly string[];
  readonly setup: readonly (readonly string[])[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** How long one setup command may take. */
  readonly commandMs: number;
  readonly signal?: AbortSignal | undefined;
}

export type RunWorktree =
  | {
      readonly outcome: 'made';
      /** The project's folder in the new work tree. */
      readonly path: string;
      readonly branch: string;
      readonly base: string;
      /** What it lacks, as sentences. */
      readonly notes: readonly string[];
    }
  /** A branch needs a commit to begin at. */
  | { readonly outcome: 'no-commit' }
  | ({ readonly outcome: 'setup-failed' } & CommandRan)
  | NotRead;

const GIT_MS = 120_000;
const MOST_FILES = 1_000;
/** In the git folder of the work tree alone: it is whole, and somebody may have worked in it. */
const READY = 'devs-ready';

/**
 * Makes the work tree of a run, or finds the one that was made. One that was begun and not finished, by whoever was killed
 * meanwhile, is made anew: nobody has worked in it.
 */
export async function makeRunWorktree(request: RunWorktreeRequest): Promise<RunWorktree> {
  const { runId, env, signal } = request;
  const folder = await realpath(request.folder).catch(() => undefined);
  if (folder === undefined) return { outcome: 'no-folder' };
  const located = await locateWorktree(createGit({ folder, env, timeMs: GIT_MS, signal }));
  if (located.outcome !== 'located') return located;
  const { root } = located;
  const git = createGit({ folder: root, env, timeMs: GIT_MS, signal });
  const base = await beginAt(git, runId);
  if (typeof base !== 'string') return base;

  const { top, path } = runPlace({ root, folder, runId });
  const branch = runBranch(runId);
  const made = { outcome: 'made', path, branch, base } as const;
  if (await isReady(top, request)) return { ...made, notes: [] };
  const status = await readStatus(git, MOST_FILES);
  await excludeOwnFolder(git, root);
  await discard(git, top);
  await mkdir(dirname(top), { recursive: true, mode: 0o700 });
  const isThere =
    (await printGit(git, ['rev-parse', '--verify', '--quiet', `refs/heads/${branch}`])).outcome === 'printed';
  const added = await printGit(git, [
    'worktree',
    'add',
    '--quiet',
    ...(isThere ? [top, branch] : ['--no-track', '-b', branch, top, base]),
  ]);
  if (added.outcome !== 'printed') return added;

  const notes = [...notInIt(status), ...(await copyIgnored(folder, path, request.copy))];
  for (const command of request.setup) {
    const ran = await runCommand({ command, folder: path, env, timeMs: request.commandMs, signal });
    if (ran.exitCode !== 0) return { outcome: 'setup-failed', ...ran };
  }
  const own = await locateWorktree(createGit({ folder: top, env, timeMs: GIT_MS, signal }));
  if (own.outcome !== 'located') return own;
  await writeFile(join(own.gitFolder, READY), '');
  return { ...made, notes };
}

/** The commit that the branch begins at: chosen once, before anything is made. */
async function beginAt(git: Git, runId: string): Promise<string | Exclude<RunWorktree, { outcome: 'made' }>> {
  const known = await commitAt(git, baseRef(runId));
  if (known !== undefined) return known;
  const head = await printGit(git, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']);
  if (head.outcome === 'failed') return { outcome: 'no-commit' };
  if (head.outcome !== 'printed') return head;
  const commit = head.text.trim();
  const kept = await printGit(git, ['update-ref', baseRef(runId), commit]);
  return kept.outcome === 'printed' ? commit : kept;
}

const commitAt = async (git: Git, ref: string): Promise<string | undefined> =>
  textOf(await printGit(git, ['rev-parse', '--verify', '--quiet', `${ref}^{commit}`]));

const textOf = (printed: Printed): string | undefined =>
  printed.outcome === 'printed' ? printed.text.trim() : undefined;

async function isReady(top: string, { env, signal }: RunWorktreeRequest): Promise<boolean> {
  if (!(await exists(join(top, '.git')))) return false;
  const own = await locateWorktree(createGit({ folder: top, env, timeMs: GIT_MS, signal }));
  return own.outcome === 'located' && own.root === top && (await exists(join(own.gitFolder, READY)));
}

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

/** What is left of a work tree that was never ready. */
async function discard(git: Git, top: string): Promise<void> {
  await printGit(git, ['worktree', 'remove', '--force', '--force', top]);
  await rm(top, { recursive: true, force: true });
  await printGit(git, ['worktree', 'prune']);
}

const MOST_NAMED = 5;

/** What the user has changed and not committed stays where it is. */
function notInIt(status: Awaited<ReturnType<typeof readStatus>>): readonly string[] {
  if (status.outcome !== 'told' || status.files.length === 0) return [];
  const named = status.files.slice(0, MOST_NAMED).map(({ path }: ChangedFile) => path);
  const more = status.files.length + status.more - named.length;
  return [
    `Not committed, so not in the work tree of the run: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`,
  ];
}
