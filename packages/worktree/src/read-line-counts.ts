import { createNumstatParser } from './parsing/numstat-parser.js';
import { createRecordSplitter } from './parsing/record-splitter.js';
import type { Git } from './run-git.js';
import type { ChangedFile, ChangedLines } from './worktree.js';

export interface Counting {
  /** The last commit, where there is one. */
  readonly commit: string | undefined;
  readonly files: readonly ChangedFile[];
}

/** Added and deleted lines of the given files, staged or not. Nothing where git did not finish. */
export async function readLineCounts(
  git: Git,
  { commit, files }: Counting,
): Promise<Map<string, ChangedLines> | undefined> {
  const counts = new Map<string, ChangedLines>();
  const tracked = new Set(files.filter(({ state }) => state !== 'untracked').map(({ path }) => path));
  if (tracked.size === 0) return counts;
  const base = commit ?? (await emptyTree(git));
  if (base === undefined) return undefined;
  const parser = createNumstatParser((path, lines) => {
    if (tracked.has(path)) counts.set(path, lines);
  });
  const run = await git.run(
    ['diff', '--numstat', '-z', '--no-ext-diff', '--no-textconv', '--ignore-submodules=all', base, '--'],
    createRecordSplitter(parser.add).add,
  );
  return run.outcome === 'exited' && run.exitCode === 0 ? counts : undefined;
}

/**
 * The tree to compare with in a repository without commits. Its name depends on the hash algorithm of the repository.
 */
async function emptyTree(git: Git): Promise<string | undefined> {
  let name = '';
  const run = await git.run(['hash-object', '-t', 'tree', '--stdin'], (chunk) => {
    name += chunk.toString('latin1');
  });
  return run.outcome === 'exited' && run.exitCode === 0 ? name.trim() : undefined;
}
