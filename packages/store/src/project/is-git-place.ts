import { lstatSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Whether a folder is the top of a git work tree. A folder named `.git` without a HEAD is none, and git goes by it no more than we do. */
export function isGitPlace(folder: string): boolean {
  const git = join(folder, '.git');
  const found = statSync(git, { throwIfNoEntry: false });
  if (found?.isDirectory()) return lstatSync(join(git, 'HEAD'), { throwIfNoEntry: false }) !== undefined;
  return found?.isFile() === true && readStart(git).startsWith('gitdir: '); // in worktrees and submodules
}

function readStart(file: string): string {
  try {
    return readFileSync(file, 'utf8').slice(0, 100);
  } catch {
    return '';
  }
}
