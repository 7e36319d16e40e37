import { join, relative } from 'node:path';

export interface RunPlace {
  /** The top folder of the repository's main work tree, and the project's folder in it. */
  readonly root: string;
  readonly folder: string;
  readonly runId: string;
}

export const runBranch = (runId: string): string => `devs/${runId}`;

/** Where the run's branch began. A ref, so that git keeps the commit, and so that it is known before anything is made. */
export const baseRef = (runId: string): string => `refs/devs/bases/${runId}`;

/** The work tree of a run, and the project's folder in it. Pure. */
export function runPlace({ root, folder, runId }: RunPlace): { readonly top: string; readonly path: string } {
  const top = join(folder, '.devs', 'worktrees', runId);
  return { top, path: join(top, relative(root, folder)) };
}
