import { createHash } from 'node:crypto';
import { basename, dirname, isAbsolute, join, relative } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

export interface RunPlace {
  /** The top folder of the repository's main work tree, and the project's folder in it. */
  readonly root: string;
  readonly folder: string;
  readonly runId: string;
}

export const runBranch = (runId: string): string => `devs/${runId}`;

/** Start of the run's branch. A ref, so that git keeps the commit and it is known before anything is created. */
export const baseRef = (runId: string): string => `refs/devs/bases/${runId}`;

/**
 * The folder of the work trees of a project's runs. Not in the project: tests, linters and watchers there would see every file
 * twice. Only a user without a home folder has them in `.devs/`. Pure.
 */
export function runsFolder(folder: string, env: Environment): string {
  const all = allRunsFolder(env);
  return all === undefined ? oldRunsFolder(folder) : join(all, nameOf(folder));
}

/** Folder for the runs of all projects of a user with a home folder. Pure. */
export function allRunsFolder(env: Environment): string | undefined {
  const state = absolute(env.XDG_STATE_HOME) ?? inHome(absolute(env.HOME ?? env.USERPROFILE));
  return state === undefined ? undefined : join(state, 'devs', 'worktrees');
}

/** Where they were before, and may still be. */
export const oldRunsFolder = (folder: string): string => join(folder, '.devs', 'worktrees');

/** Whether devs created this work tree for this run, including under an earlier state folder. Pure. */
export function isRunPlace(top: string, runId: string): boolean {
  if (basename(top) !== runId) return false;
  const parents = [dirname(top), dirname(dirname(top))];
  return parents.some((parent) => basename(parent) === 'worktrees' && OWNERS.includes(basename(dirname(parent))));
}

const OWNERS = ['devs', '.devs'];

/** The project's folder in a work tree of a run. Pure. */
export const projectIn = (top: string, { root, folder }: Omit<RunPlace, 'runId'>): string =>
  join(top, relative(root, folder));

const inHome = (home: string | undefined) => (home === undefined ? undefined : join(home, '.local', 'state'));

/** The XDG rules ignore relative paths. */
const absolute = (path: string | undefined) => (path !== undefined && isAbsolute(path) ? path : undefined);

/** The first part is for people; the second distinguishes projects with the same name. */
const nameOf = (folder: string): string =>
  `${basename(folder).replace(/[^\w.-]/g, '_')}-${createHash('sha256').update(folder).digest('hex').slice(0, 8)}`;
