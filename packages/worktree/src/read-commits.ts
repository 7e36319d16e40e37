import { COMMIT_FORMAT, parseCommit } from './parsing/parse-commit.js';
import { createRecordSplitter } from './parsing/record-splitter.js';
import type { Git } from './run-git.js';
import type { Commit } from './worktree.js';

/** The last commits, newest first. Nothing where git did not finish. */
export async function readCommits(git: Git, most: number): Promise<readonly Commit[] | undefined> {
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
