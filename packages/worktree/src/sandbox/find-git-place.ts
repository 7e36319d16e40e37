import { lstat, readdir, readFile, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { GitPlace } from '@devs/core';
import { isRunPlace, runBranch } from '../run-worktree/run-place.js';
import { unpackRefs } from './unpack-refs.js';

/** The top of a work tree and its git folder. Found without running git. */
export interface FoundGit {
  readonly top: string;
  readonly git: Exclude<GitPlace, { kind: 'linked' }> | Omit<Extract<GitPlace, { kind: 'linked' }>, 'others'>;
}

/** `folder` is a real path. `undefined` outside a repository or in an irregular one. */
export async function findGitPlace(folder: string): Promise<FoundGit | undefined> {
  for (let top = folder; ; top = dirname(top)) {
    const facts = await stat(join(top, '.git')).catch(() => undefined);
    if (facts?.isDirectory() && (await hasHead(top)))
      return { top, git: { kind: 'whole', folder: await realpath(join(top, '.git')) } };
    if (facts?.isFile()) return findLinked(top);
    if (dirname(top) === top) return undefined;
  }
}

/** A folder named `.git` without it is no repository. */
const hasHead = (top: string): Promise<boolean> =>
  lstat(join(top, '.git', 'HEAD')).then(
    () => true,
    () => false,
  );

async function findLinked(top: string): Promise<FoundGit | undefined> {
  const [, named] = /^gitdir: ([^\n]+)\n?$/.exec(await textOf(join(top, '.git'))) ?? [];
  const folder = named === undefined ? undefined : await realpath(resolve(top, named)).catch(() => undefined);
  if (folder === undefined) return undefined;
  const common = dirname(dirname(folder));
  if (basename(dirname(folder)) !== 'worktrees') {
    // The folder of a submodule is a whole one; it lies where git puts it.
    return /\/\.git\/modules\//.test(folder) ? { top, git: { kind: 'whole', folder } } : undefined;
  }
  // A writable worktree could name any folder, so the repository must name the worktree, too.
  const back = resolve(folder, (await textOf(join(folder, 'gitdir'))).trim());
  const isMutual = (await realpath(dirname(back)).catch(() => '')) === top;
  const isRepository = (await stat(join(common, 'objects')).catch(() => undefined))?.isDirectory() === true;
  if (!isMutual || !isRepository) return undefined;
  const branch = await branchOf(top, folder);
  return { top, git: { kind: 'linked', folder, common, ...(branch === undefined ? {} : { branch }) } };
}

/** The branch of a run comes from its name: the agent may change the checkout. */
async function branchOf(top: string, folder: string): Promise<string | undefined> {
  const name = basename(top);
  if (isRunPlace(top, name)) return runBranch(name);
  return /^ref: refs\/heads\/(\S+)\n?$/.exec(await textOf(join(folder, 'HEAD')))?.[1];
}

/** The refs beside the branch, as they are now. Refs of other runs first get their own files, which can be guarded. */
export async function refsBeside(common: string, branch: string | undefined): Promise<readonly string[]> {
  if (branch === undefined) return [];
  const own = join(common, 'refs', 'heads', branch);
  if (branch.startsWith(runBranch(''))) await unpackRefs(common, `refs/heads/${runBranch('')}`, `refs/heads/${branch}`);
  const names = await readdir(dirname(own)).catch(() => []);
  return names
    .filter((name) => name !== basename(own) && !name.endsWith('.lock'))
    .map((name) => join(dirname(own), name));
}

const textOf = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '');
