import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Operation } from './worktree.js';

/** Finds an unfinished operation. git keeps one file per kind; a rebase may contain a cherry-pick. */
export async function findOperation(gitFolder: string): Promise<Operation | undefined> {
  for (const [name, kind] of MARKS) {
    if (!(await exists(join(gitFolder, name)))) continue;
    if (kind !== 'rebase') return { kind };
    const ref = await readFile(join(gitFolder, name, 'head-name'), 'utf8').catch(() => '');
    const branch = /^refs\/heads\/(.+?)\s*$/.exec(ref)?.[1];
    return branch === undefined ? { kind } : { kind, branch };
  }
  return undefined;
}

const MARKS: readonly (readonly [string, Operation['kind']])[] = [
  ['rebase-merge', 'rebase'],
  ['rebase-apply/applying', 'am'],
  ['rebase-apply', 'rebase'],
  ['MERGE_HEAD', 'merge'],
  ['CHERRY_PICK_HEAD', 'cherry-pick'],
  ['REVERT_HEAD', 'revert'],
  ['BISECT_LOG', 'bisect'],
];

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );
