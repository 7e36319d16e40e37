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
    git: worktree,
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
