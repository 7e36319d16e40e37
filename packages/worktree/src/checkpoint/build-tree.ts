import { copyFile, mkdtemp, rm, stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NotRead } from '../locate-worktree.js';
import { type Printed, printGit } from '../print-git.js';
import type { Git, GitRunOptions } from '../run-git.js';
import type { ChosenFiles } from './choose-files.js';

export interface TreePlace {
  readonly gitFolder: string;
  /** Missing in a repository without commits. */
  readonly commit: string | undefined;
  /** Says where new objects go. */
  readonly env: Readonly<Record<string, string>>;
}

/** The current work as a tree, without the files left out. Built in a copy of the user's index. */
export async function buildTree(
  git: Git,
  { gitFolder, commit, env }: TreePlace,
  { kept, leftOut }: ChosenFiles,
): Promise<{ readonly outcome: 'built'; readonly tree: string } | NotRead> {
  const folder = await mkdtemp(join(tmpdir(), 'devs-index-'));
  try {
    const index = join(folder, 'index');
    // A copy knows which files are unchanged, so that git need not read them all.
    await copyIndex(join(gitFolder, 'index'), index).catch(ignoreMissing);
    const write = (args: readonly string[], options: GitRunOptions = {}) =>
      printGit(git, ['-c', 'core.splitIndex=false', ...args], { ...options, env: { ...env, GIT_INDEX_FILE: index } });

    const added = await write(['update-index', '--add', '--remove', '-z', '--stdin'], { input: records(kept) });
    if (added.outcome !== 'printed') return added;
    const restored = await restore(
      write,
      commit,
      leftOut.map(({ path }) => path),
    );
    if (restored.outcome !== 'printed') return restored;
    const written = await write(['write-tree']);
    return written.outcome === 'printed' ? { outcome: 'built', tree: written.text.trim() } : written;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Copies the index with its timestamp. git rereads files changed at or after the time of the index; a newer timestamp
 * would hide changes made just before.
 */
async function copyIndex(from: string, to: string): Promise<void> {
  const { mtimeMs } = await stat(from);
  await copyFile(from, to);
  const seconds = Math.floor(mtimeMs / 1_000);
  await utimes(to, seconds, seconds);
}

type Write = (args: readonly string[], options?: GitRunOptions) => Promise<Printed>;

/** Resets the files left out to their state in the last commit, even if other content is staged. */
async function restore(write: Write, commit: string | undefined, paths: readonly string[]): Promise<Printed> {
  if (paths.length === 0) return { outcome: 'printed', text: '' };
  const removed = await write(['update-index', '--force-remove', '-z', '--stdin'], { input: records(paths) });
  if (removed.outcome !== 'printed' || commit === undefined) return removed;
  for (let from = 0; from < paths.length; from += PATHS_AT_ONCE) {
    const asked = paths.slice(from, from + PATHS_AT_ONCE);
    const committed = await write([
      '--literal-pathspecs',
      'ls-tree',
      '-r',
      '-z',
      '--full-tree',
      commit,
      '--',
      ...asked,
    ]);
    if (committed.outcome !== 'printed') return committed;
    const put = await write(['update-index', '-z', '--index-info'], { input: committed.text });
    if (put.outcome !== 'printed') return put;
  }
  return removed;
}

const PATHS_AT_ONCE = 200;

const records = (paths: readonly string[]) => paths.map((path) => `${path}\0`).join('');

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error; // a repository in which nothing was added yet has none
}
