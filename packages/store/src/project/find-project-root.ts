import { statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isGitPlace } from './is-git-place.js';

/** The top of the git work tree that the folder is in; without git the folder itself. */
export function findProjectRoot(folder: string): string {
  const start = resolve(folder);
  for (let current = start; ; current = dirname(current)) {
    if (isGitPlace(current) && (current === start || isOneOfOurs(current, start))) return current;
    if (dirname(current) === current) return start;
  }
}

/**
 * A repository above the folder that belongs to another user is not ours: its settings and records are not the user's.
 */
function isOneOfOurs(top: string, start: string): boolean {
  const owner = ownerOf(join(top, '.git'));
  return owner === undefined || owner === process.getuid?.() || owner === ownerOf(start);
}

const ownerOf = (path: string): number | undefined =>
  process.getuid === undefined ? undefined : statSync(path, { throwIfNoEntry: false })?.uid;
