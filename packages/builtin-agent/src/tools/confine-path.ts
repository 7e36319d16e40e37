import { lstat, readlink, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { ToolError } from './tool-error.js';

/** As many as Linux follows. */
const MAX_LINKS = 40;

/**
 * Where a path of the model really is, or a refusal where that is outside of the worktree: by `..`, as an absolute path, or
 * through a link. What does not exist yet is judged by the folder that it would be in.
 */
export async function confinePath(root: string, path: string): Promise<string> {
  if (path.includes('\0')) throw new ToolError('the path holds a zero character');
  const base = await realpath(root);
  const wanted = resolve(
    base,
    isAbsolute(path) && isWithin(resolve(root), path) ? relative(resolve(root), path) : path,
  );
  if (!isWithin(base, wanted)) throw outside(path);
  const real = await realPlace(wanted);
  if (!isWithin(base, real)) throw outside(path);
  return real;
}

/** The same for a change: git's files belong to git, and an agent must not write its own rules. */
export async function confineChange(root: string, path: string): Promise<string> {
  const real = await confinePath(root, path);
  const inside = relative(await realpath(root), real);
  if (inside === '') throw new ToolError(`${path} is the worktree itself`);
  const folders = foldersOf(inside);
  if (folders.includes('.git')) throw new ToolError(`${path} belongs to git: use git commands instead`);
  if (folders.includes('.devs')) throw new ToolError(`${path} belongs to devs: ask the user to change it`);
  return real;
}

/** Whether a confined path is inside git's own folder, which may hold a remote's token. `base` is the real worktree. */
export const isOfGit = (base: string, real: string): boolean => foldersOf(relative(base, real)).includes('.git');

/** Without case: there are file systems to which `.GIT` is the same folder. */
const foldersOf = (inside: string): readonly string[] => inside.split(sep).map((name) => name.toLowerCase());

const isWithin = (base: string, path: string): boolean => path === base || path.startsWith(join(base, sep));

const outside = (path: string) => new ToolError(`${path} is outside of the worktree: only paths within it can be used`);

async function realPlace(path: string, followed = 0): Promise<string> {
  const found = await realpath(path).catch(noneUnlessEndless(path));
  if (found !== undefined) return found;
  // A link to a missing file: writing would create its target.
  const facts = await lstat(path).catch(() => undefined);
  if (facts?.isSymbolicLink()) {
    if (followed === MAX_LINKS) throw endless(path);
    return realPlace(resolve(dirname(path), await readlink(path)), followed + 1);
  }
  const parent = dirname(path);
  return parent === path ? path : join(await realPlace(parent, followed), relative(parent, path));
}

const noneUnlessEndless = (path: string) => (error: NodeJS.ErrnoException) => {
  if (error.code === 'ELOOP') throw endless(path);
  return undefined;
};

const endless = (path: string) => new ToolError(`${path} is a link that leads to itself, or through too many others`);
