import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** The top of the git work tree that the folder is in; without git the folder itself. */
export function findProjectRoot(folder: string): string {
  const start = resolve(folder);
  for (let current = start; ; current = dirname(current)) {
    if (existsSync(join(current, '.git'))) return current; // a file in worktrees and submodules
    if (dirname(current) === current) return start;
  }
}
