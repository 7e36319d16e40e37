import { realpath } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import type { GitEvidence } from '@devs/core';
import type { WorktreeReading } from '@devs/worktree';
import { visible } from '../screen/visible.js';

type Worktrees = Pick<typeof import('@devs/worktree'), 'readWorktree'>;

export interface GitReading {
  readonly git?: GitEvidence;
  readonly warnings: readonly string[];
}

/** What git reports about a folder. A missing git or repository is not an error. */
export async function readGit(
  folder: string,
  { readWorktree }: Worktrees,
  env: Readonly<Record<string, string | undefined>>,
): Promise<GitReading> {
  const reading = await readWorktree(folder, { env });
  if (reading.outcome !== 'read') return { warnings: whyNot(reading) };
  const { worktree } = reading;
  return {
    git: { ...worktree, folder: await folderWithin(worktree.root, folder) },
    warnings: worktree.leftOut.map((what) => `${what}.`),
  };
}

function whyNot(reading: Exclude<WorktreeReading, { outcome: 'read' }>): readonly string[] {
  switch (reading.outcome) {
    case 'timed-out':
      return [`git did not answer within ${reading.afterMs / 1_000} s; the handoff is without it.`];
    case 'failed':
      return [`git gave no answer, so the handoff lacks it: ${visible(reading.message)}`];
    case 'no-git':
    case 'no-folder':
    case 'no-repository':
    case 'no-work-tree':
    case 'cancelled':
      return [];
  }
}

/** Where a folder is below the top of its repository, with a slash at its end; empty for the top itself. */
async function folderWithin(root: string, folder: string): Promise<string> {
  const [top, own] = await Promise.all([root, folder].map((path) => realpath(path).catch(() => path)));
  const below = relative(top ?? root, own ?? folder).split(sep);
  return below[0] === '' || below[0] === '..' ? '' : `${below.join('/')}/`;
}
