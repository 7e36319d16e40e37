import { saveCheckpoint } from '../checkpoint/save-checkpoint.js';
import type { NotRead } from '../locate-worktree.js';
import { printGit } from '../print-git.js';
import { retryLocked } from '../retry-locked.js';
import { createGit } from '../run-git.js';

/** The state of a run that another machine said. */
export interface MovedWork {
  /** Of its branch. */
  readonly commit: string;
  /** A commit on top of it with what was not committed. */
  readonly work?: string;
}

interface Alignment {
  readonly top: string;
  readonly branch: string;
  readonly runId: string;
  readonly moved: MovedWork;
  /** No agent has worked in it. */
  readonly isNew: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal | undefined;
}

const GIT_MS = 120_000;

/**
 * Makes branch and files of a run what another machine said. What is left here of the time before is kept as a
 * checkpoint first. Ignored files stay.
 */
export async function alignWorktree(alignment: Alignment): Promise<NotRead | undefined> {
  const { top, branch, runId, moved, isNew, env, signal } = alignment;
  const git = createGit({ folder: top, env, timeMs: GIT_MS, signal });
  if (!isNew) {
    const request = {
      terminal: runId,
      id: `before-${moved.commit}`,
      number: 1,
      message: `devs: ${runId} before it came back\n`,
    };
    const saved = await saveCheckpoint(top, request, { env, ...(signal === undefined ? {} : { signal }) });
    if (saved.outcome !== 'saved') return saved;
  }
  const commands = [
    ['symbolic-ref', 'HEAD', `refs/heads/${branch}`],
    ['reset', '--hard', '--quiet', '--no-recurse-submodules', moved.work ?? moved.commit],
    ['clean', '-ffd', '--quiet'],
    ['reset', '--mixed', '--quiet', '--no-recurse-submodules', moved.commit],
  ];
  for (const command of commands) {
    const done = await retryLocked(() => printGit(git, command));
    if (done.outcome !== 'printed') return done;
  }
  return undefined;
}
