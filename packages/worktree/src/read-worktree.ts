import { realpath, stat } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import { findOperation } from './find-operation.js';
import { locateWorktree } from './locate-worktree.js';
import { COMMIT_FORMAT, parseCommit } from './parsing/parse-commit.js';
import { createRecordSplitter } from './parsing/record-splitter.js';
import { readLineCounts } from './read-line-counts.js';
import { readStatus } from './read-status.js';
import { createGit, type Git } from './run-git.js';
import type { Commit, WorktreeReading } from './worktree.js';

export interface WorktreeLimits {
  /** For everything together. */
  readonly timeMs: number;
  /** Maximum number of changed files listed one by one; the rest is counted. */
  readonly files: number;
  readonly commits: number;
}

export interface ReadWorktreeOptions {
  readonly signal?: AbortSignal;
  readonly limits?: Partial<WorktreeLimits>;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

const DEFAULT_LIMITS: WorktreeLimits = { timeMs: 5_000, files: 500, commits: 20 };

/**
 * Reads what git knows about the work in a folder. Read-only: takes no lock, never prompts and runs no program from
 * the user's configuration.
 *
 * Rejects only if a process cannot be started for a reason other than a missing git.
 */
export async function readWorktree(folder: string, options: ReadWorktreeOptions = {}): Promise<WorktreeReading> {
  const { signal, env = process.env } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  if (!(await isFolder(folder))) return { outcome: 'no-folder' };
  return readWithin(createGit({ folder, env, timeMs: limits.timeMs, signal }), folder, limits);
}

async function readWithin(git: Git, folder: string, limits: WorktreeLimits): Promise<WorktreeReading> {
  const place = await locateWorktree(git);
  if (place.outcome !== 'located') return place;
  const status = await readStatus(git, limits.files);
  if (status.outcome !== 'told') return status;

  const { head, files, more } = status;
  const [lines, commits, operation] = await Promise.all([
    readLineCounts(git, { commit: head.commit, files }),
    head.commit === undefined ? [] : readCommits(git, limits.commits),
    findOperation(place.gitFolder),
  ]);
  return {
    outcome: 'read',
    worktree: {
      root: place.root,
      folder: await folderWithin(place.root, folder),
      ...head,
      ...(operation === undefined ? {} : { operation }),
      changes: files.map((file) => {
        const changed = file.state === 'untracked' ? undefined : lines?.get(file.path);
        return changed === undefined ? file : { ...file, lines: changed };
      }),
      moreChanges: more,
      commits: commits ?? [],
      leftOut: [
        ...(lines === undefined ? ['git did not count the changed lines'] : []),
        ...(commits === undefined ? ['git did not list the recent commits'] : []),
      ],
    },
  };
}

async function folderWithin(root: string, folder: string): Promise<string> {
  const [top, own] = await Promise.all([root, folder].map((path) => realpath(path).catch(() => path)));
  const below = relative(top ?? root, own ?? folder).split(sep);
  return below[0] === '' || below[0] === '..' ? '' : `${below.join('/')}/`;
}

const isFolder = (path: string) =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

/** The last commits, newest first. Nothing where git did not finish. */
async function readCommits(git: Git, most: number): Promise<readonly Commit[] | undefined> {
  const commits: Commit[] = [];
  const splitter = createRecordSplitter((record) => {
    const commit = parseCommit(record);
    if (commit !== undefined) commits.push(commit);
  });
  const args = [
    'log',
    '-z',
    `--max-count=${most}`,
    `--format=tformat:${COMMIT_FORMAT}`,
    '--encoding=UTF-8',
    '--no-show-signature',
    '--',
  ];
  const run = await git.run(args, splitter.add);
  return run.outcome === 'exited' && run.exitCode === 0 ? commits : undefined;
}
