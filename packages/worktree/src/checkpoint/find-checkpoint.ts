import type { NotRead } from '../locate-worktree.js';
import { printGit } from '../print-git.js';
import type { Git } from '../run-git.js';
import { checkpointRef } from './checkpoint-ref.js';

export type FoundCheckpoint =
  | { readonly outcome: 'found'; readonly ref: string; readonly commit: string }
  /** There is none; this ref is free for it. */
  | { readonly outcome: 'free'; readonly ref: string }
  | NotRead;

interface Wanted {
  readonly terminal: string;
  readonly id: string;
  readonly number: number;
}

const TRAILER = 'Devs-Checkpoint:';

/** The commit message names the checkpoint id: the same number may belong to another store. */
export const withCheckpointId = (message: string, id: string): string =>
  `${message.trim() === '' ? 'Checkpoint' : message.trimEnd()}\n\n${TRAILER} ${id}\n`;

/** The checkpoint of a terminal that was saved for this, or the first free ref from the wanted number on. */
export async function findCheckpoint(git: Git, { terminal, id, number }: Wanted): Promise<FoundCheckpoint> {
  const place = checkpointRef(terminal, number).replace(/\/\d+$/, '');
  const listed = await printGit(git, ['for-each-ref', '--format=%(objectname) %(refname)', place]);
  if (listed.outcome !== 'printed') return listed;
  const kept = new Map(
    listed.text.split('\n').flatMap((line) => {
      const [commit = '', ref = ''] = line.split(' ');
      return ref === '' ? [] : [[ref, commit] as const];
    }),
  );
  if (kept.size > 0) {
    const says = ['--fixed-strings', `--grep=${TRAILER} ${id}`];
    const search = ['log', '--no-walk=unsorted', ...says, '--format=%H', '--stdin'];
    const saved = await printGit(git, search, { input: `${[...kept.values()].join('\n')}\n` });
    if (saved.outcome !== 'printed') return saved;
    const commits = new Set(saved.text.split('\n'));
    const own = [...kept].find(([, commit]) => commits.has(commit));
    if (own !== undefined) return { outcome: 'found', ref: own[0], commit: own[1] };
  }
  for (let next = number; ; next++) {
    const ref = checkpointRef(terminal, next);
    if (!kept.has(ref)) return { outcome: 'free', ref };
  }
}
