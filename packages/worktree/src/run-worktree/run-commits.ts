import { sayNotRead, whyNotRead } from '../locate-worktree.js';
import { COMMIT_FORMAT, parseCommit } from '../parsing/parse-commit.js';
import { createRecordSplitter } from '../parsing/record-splitter.js';
import { createGit } from '../run-git.js';
import type { Commit } from '../worktree.js';

export interface RunCommitsRequest {
  readonly folder: string;
  readonly base: string;
  /** Default: the checked-out commit. */
  readonly tip?: string;
  readonly most?: number;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal | undefined;
}

const GIT_MS = 30_000;
const MOST = 200;

/** Commits since the start of a run, newest first. Empty if its branch is gone; rejects if git does not answer. */
export async function readRunCommits(request: RunCommitsRequest): Promise<readonly Commit[]> {
  const { folder, base, tip = 'HEAD', most = MOST, env, signal } = request;
  const commits: Commit[] = [];
  const splitter = createRecordSplitter((record) => {
    const commit = parseCommit(record);
    if (commit !== undefined) commits.push(commit);
  });
  const git = createGit({ folder, env, timeMs: GIT_MS, signal });
  const format = `--format=tformat:${COMMIT_FORMAT}`;
  const run = await git.run(
    ['log', '-z', `--max-count=${most}`, format, '--encoding=UTF-8', '--no-show-signature', `${base}..${tip}`, '--'],
    splitter.add,
  );
  const failure = whyNotRead(run);
  if (failure === undefined) return commits;
  if (failure.outcome === 'failed' && NO_SUCH_COMMIT.test(failure.message)) return [];
  throw new Error(`git does not say what ${tip} has: ${sayNotRead(failure)}`);
}

const NO_SUCH_COMMIT = /unknown revision|bad revision|Invalid revision range|bad object/;
