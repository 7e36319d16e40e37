import type { Git, GitRun } from './run-git.js';
import type { WorktreeReading } from './worktree.js';

export type Located = { readonly outcome: 'located'; readonly root: string; readonly gitFolder: string } | NotRead;

export type NotRead = Exclude<WorktreeReading, { outcome: 'read' }>;

/** The top folder, and where git keeps what belongs to this work tree alone. */
export async function locateWorktree(git: Git): Promise<Located> {
  // Two calls: a path may hold a line break, so the output of each ends with one path.
  const [top, own] = await Promise.all([
    print(git, ['rev-parse', '--is-inside-work-tree', '--show-toplevel']),
    print(git, ['rev-parse', '--absolute-git-dir']),
  ]);
  if (top.text.startsWith('false')) return { outcome: 'no-work-tree' };
  const failure = whyNotRead(top.run) ?? whyNotRead(own.run);
  if (failure !== undefined) return failure;
  return { outcome: 'located', root: top.text.slice('true\n'.length, -1), gitFolder: own.text.slice(0, -1) };
}

async function print(git: Git, args: readonly string[]): Promise<{ readonly run: GitRun; readonly text: string }> {
  const chunks: Buffer[] = [];
  const run = await git.run(args, (chunk) => void chunks.push(chunk));
  return { run, text: Buffer.concat(chunks).toString('utf8') };
}

/** Why a failed git run could not be read; `undefined` for a successful run. */
export function whyNotRead(run: GitRun): NotRead | undefined {
  if (run.outcome !== 'exited') return run;
  if (run.exitCode === 0) return undefined;
  if (/not a git repository/.test(run.stderr)) return { outcome: 'no-repository' };
  if (/must be run in a work tree|cannot use bare repository/.test(run.stderr)) return { outcome: 'no-work-tree' };
  return { outcome: 'failed', message: run.stderr.trim() || `git ended with code ${run.exitCode}` };
}

/** In a line, for people. */
export const sayNotRead = (failure: NotRead): string =>
  failure.outcome === 'failed'
    ? (failure.message.split('\n').find((line) => line.trim() !== '') ?? 'nothing')
    : failure.outcome === 'timed-out'
      ? `no answer within ${Math.round(failure.afterMs / 1_000)} seconds`
      : failure.outcome;
