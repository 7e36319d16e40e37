import { basename, dirname } from 'node:path';
import { createGit } from './run-git.js';

const GIT_MS = 10_000;

/** Whether a file is tracked in its repository. Anyone who can push to the repository controls a tracked file. */
export async function isTracked(path: string, env: Readonly<Record<string, string | undefined>>): Promise<boolean> {
  const git = createGit({ folder: dirname(path), env, timeMs: GIT_MS });
  const run = await git.run(['ls-files', '--error-unmatch', '--', basename(path)], () => {});
  return run.outcome === 'exited' && run.exitCode === 0;
}
