import { realpath, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { NeededWork, SaidWork } from '@devs/core';
import { type ChangeRequest, changeWorktrees, commonFolder } from '../change-worktrees.js';
import { locateWorktree, type NotRead } from '../locate-worktree.js';
import { pinAnew } from '../pinned-git.js';
import { printGit } from '../print-git.js';
import { readStatus } from '../read-status.js';
import { retryLocked } from '../retry-locked.js';
import { createGit } from '../run-git.js';
import { openSandbox, type SandboxRequest } from '../sandbox/open-sandbox.js';
import type { ChangedFile } from '../worktree.js';
import { alignWorktree, type MovedWork } from './align-worktree.js';
import { beginAt, bringWork, type Conflict } from './begin-run.js';
import { writeCopied } from './copied-files.js';
import { copyIgnored } from './copy-ignored.js';
import { discardWorktree } from './discard-worktree.js';
import { ownerOf, READY } from './find-run-worktree.js';
import type { ElsewhereWork, MissingWork } from './missing-work.js';
import { placeWorktree } from './place-worktree.js';
import { type CommandRan, runCommand } from './run-command.js';
import { baseRef, projectIn, runBranch } from './run-place.js';
import { readTrust } from './written-past-git.js';

export interface RunWorktreeRequest {
  /** The project's folder. */
  readonly folder: string;
  readonly runId: string;
  /** Ignored files that it gets, as paths from the project's folder. */
  readonly copy: readonly string[];
  readonly setup: readonly (readonly string[])[];
  /** Refs to start from: the branches of the runs it depends on. Default: the user's current checkout. */
  readonly from?: readonly string[];
  /** Further starting points from other clones. Without them the run does not start. */
  readonly needs?: readonly NeededWork[];
  /** Where its supervisor before worked in another clone: how far it came there. */
  readonly elsewhere?: ElsewhereWork;
  /** Where to begin instead of all that, and at nothing else: commits that are in this clone. */
  readonly at?: readonly SaidWork[];
  /** It comes from another machine: its branch and its files become what was said of it, which is in this clone. */
  readonly moved?: MovedWork;
  /** The commit that it began at, as it was recorded. */
  readonly base?: string;
  /** Whether it was complete once: then any remains may contain work. */
  readonly wasMade?: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where setup commands run. Without it: as any other program of the user's. */
  readonly sandbox?: Pick<SandboxRequest, 'home' | 'settings' | 'finding'> | undefined;
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
      /** Missing parts, as sentences. */
      readonly notes: readonly string[];
    }
  | { readonly outcome: 'no-commit' }
  /** Its commits are in another clone. */
  | MissingWork
  | Conflict
  /** No longer a work tree of the repository, but it contains work. */
  | { readonly outcome: 'damaged'; readonly path: string }
  | ({ readonly outcome: 'setup-failed' } & CommandRan)
  | { readonly outcome: 'no-sandbox'; readonly reason: string; readonly advice: string }
  | NotRead;

const GIT_MS = 120_000;
const MAX_FILES = 1_000;

/**
 * Creates the work tree of a run, or finds the existing one. Recreates an unfinished one left by a killed process,
 * which contains no work.
 */
export async function makeRunWorktree(request: RunWorktreeRequest): Promise<RunWorktree> {
  const made = await make(request);
  // What git was stopped in the middle of has failed, for no other reason.
  return request.signal?.aborted && made.outcome !== 'made' ? { outcome: 'cancelled' } : made;
}

async function make(request: RunWorktreeRequest): Promise<RunWorktree> {
  const { runId, env, signal } = request;
  const folder = await realpath(request.folder).catch(() => undefined);
  if (folder === undefined) return { outcome: 'no-folder' };
  const located = await locateWorktree(createGit({ folder, env, timeMs: GIT_MS, signal }));
  if (located.outcome !== 'located') return located;
  const { root } = located;
  const git = createGit({ folder: root, env, timeMs: GIT_MS, signal });
  const beginning = await beginAt(git, request);
  if ('outcome' in beginning) return beginning;
  const { base } = beginning;

  const placed = await changeWorktrees({ git, root, signal }, () => placeWorktree(request, { root, folder, base }));
  if (placed.outcome !== 'found' && placed.outcome !== 'added') return placed;
  const { top } = placed;
  const branch = runBranch(runId);
  const path = projectIn(top, { root, folder });
  const aligned = async () =>
    request.moved &&
    alignWorktree({ top, branch, runId, moved: request.moved, env, signal, isNew: placed.outcome === 'added' });
  if (placed.outcome === 'found') {
    const failure = await aligned();
    return failure ?? { outcome: 'made', path, branch, base, notes: [] };
  }

  const status = await readStatus(git, MAX_FILES);
  const common = await commonFolder(git, root);
  if (common !== undefined) await pinAnew(top, common); // before anybody works in it
  const own = createGit({ folder: top, env, timeMs: GIT_MS, signal });
  const place = await locateWorktree(own);
  if (place.outcome !== 'located') return place;
  const isNew = request.wasMade !== true && request.elsewhere === undefined && request.moved === undefined;
  const start = isNew ? [base] : [];
  const filled = await printGit(own, ['reset', '--hard', '--quiet', '--no-recurse-submodules', ...start]);
  if (filled.outcome !== 'printed') return filled;
  const unaligned = await aligned();
  if (unaligned !== undefined) return unaligned;
  // Where it was ready once, all of that is on its branch.
  const isThere = request.wasMade === true || request.moved !== undefined;
  const brought = isThere ? base : await bringWork(own, runId, beginning);
  if (typeof brought !== 'string') {
    if (brought.outcome === 'conflict') await undo({ git, root, signal }, runId, top); // the next try may begin elsewhere
    return brought;
  }
  const trust = isNew ? await readTrust(own, top, branch) : ({ outcome: 'trusted' } as const);
  if (trust.outcome === 'moved') return { outcome: 'failed', message: `${trust.reason} while it was made` };
  if (trust.outcome !== 'trusted') return trust;

  const copied = await copyIgnored(folder, path, request.copy);
  const copies = copied.paths.map((file) => relative(top, join(path, file)));
  await writeCopied(place.gitFolder, copies);
  const failure = await setUp(request, { path, project: folder });
  if (failure !== undefined) return failure;
  await writeFile(join(place.gitFolder, READY), ownerOf({ root, folder }));
  const notes = [...notInIt(status, copies), ...notIgnored(status, copies), ...beginning.notes, ...copied.notes];
  return { outcome: 'made', path, branch, base: brought, notes };
}

type NotSetUp = Extract<RunWorktree, { outcome: 'setup-failed' | 'no-sandbox' }> | { readonly outcome: 'cancelled' };

async function setUp(
  { setup, env, commandMs, signal, sandbox: wanted }: RunWorktreeRequest,
  { path, project }: { readonly path: string; readonly project: string },
): Promise<NotSetUp | undefined> {
  if (setup.length === 0) return undefined;
  const opened = wanted === undefined ? undefined : await openSandbox({ folder: path, project, env, ...wanted });
  if (opened?.status === 'refused') return { outcome: 'no-sandbox', reason: opened.reason, advice: opened.advice };
  try {
    for (const command of setup) {
      const ran = await runCommand({ command, folder: path, env, timeMs: commandMs, signal, sandbox: opened?.sandbox });
      if (signal?.aborted) return { outcome: 'cancelled' };
      if (ran.exitCode !== 0) return { outcome: 'setup-failed', ...ran };
    }
    return undefined;
  } finally {
    await opened?.sandbox.close();
  }
}

/** As if it had never been begun. */
async function undo(change: ChangeRequest, runId: string, top: string): Promise<void> {
  const { git } = change;
  await changeWorktrees(change, async () => {
    await discardWorktree(git, top);
    await retryLocked(() => printGit(git, ['branch', '--quiet', '-D', runBranch(runId)]));
    await printGit(git, ['update-ref', '-d', baseRef(runId)]);
  });
}

const MAX_NAMED = 5;

/** Uncommitted changes of the user stay in their own folder. */
function notInIt(status: Awaited<ReturnType<typeof readStatus>>, copies: readonly string[]): readonly string[] {
  if (status.outcome !== 'told') return [];
  const files = status.files.filter(({ path }) => !copies.some((copy) => path === copy || path.startsWith(`${copy}/`)));
  if (files.length === 0) return [];
  const named = files.slice(0, MAX_NAMED).map(({ path }: ChangedFile) => path);
  const more = files.length + status.more - named.length;
  return [
    `Not committed, so not in the work tree of the run: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`,
  ];
}

/** An agent that commits everything would commit these, and they may hold secrets. */
function notIgnored(status: Awaited<ReturnType<typeof readStatus>>, copies: readonly string[]): readonly string[] {
  const untracked = status.outcome === 'told' ? status.files.filter(({ state }) => state === 'untracked') : [];
  return copies
    .filter((copy) => untracked.some(({ path }) => path === copy || path.startsWith(`${copy}/`)))
    .map((copy) => `${copy} was copied though git does not ignore it: the agent may commit it. Put it in .gitignore.`);
}
