import { readFileSync, realpathSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { allRunsFolder } from './run-worktree/run-place.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** Beside the work tree, where the agent has no reason to write. */
const pinOf = (top: string): string => join(dirname(top), `.git-of-${basename(top)}`);

const pinGit = (top: string, gitFolder: string): Promise<void> =>
  writeFile(pinOf(top), JSON.stringify({ gitFolder }), { mode: 0o600 });

/** Keeps where git has what belongs to the work tree of a run: as the repository says, never as the `.git` that an agent can write. */
export async function pinAnew(top: string, commonFolder: string): Promise<void> {
  const parent = join(commonFolder, 'worktrees');
  for (const name of await readdir(parent).catch((): string[] => [])) {
    const place = await readFile(join(parent, name, 'gitdir'), 'utf8').catch(() => '');
    if (place.trim() === join(top, '.git')) return pinGit(top, join(parent, name));
  }
}

/**
 * Environment that pins git's folder for the work tree of a run. An agent that replaces `.git` there could otherwise
 * add settings, such as filters, whose programs our next `git status` would run. Empty for other folders: a file with
 * that name in a project, or deeper in the work tree, is not ours.
 */
export function pinnedEnvironment(folder: string, env: Environment): Readonly<Record<string, string>> {
  const all = allRunsFolder(env);
  if (all === undefined) return {};
  for (const place of new Set([all, realPath(all)])) {
    const [project = '', run = ''] = relative(place, folder).split(sep);
    if (project === '' || project === '..' || run === '' || isAbsolute(relative(place, folder))) continue;
    const top = join(place, project, run);
    const gitFolder = readPin(pinOf(top));
    if (gitFolder !== undefined) return { GIT_DIR: gitFolder, GIT_WORK_TREE: top };
  }
  return {};
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function readPin(file: string): string | undefined {
  try {
    const { gitFolder } = JSON.parse(readFileSync(file, 'utf8')) as { readonly gitFolder?: unknown };
    return typeof gitFolder === 'string' && isAbsolute(gitFolder) ? gitFolder : undefined;
  } catch {
    return undefined; // another folder, or a work tree of an older devs
  }
}
