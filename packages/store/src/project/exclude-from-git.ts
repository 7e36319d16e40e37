import { appendFileSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isGitPlace } from './is-git-place.js';

const OWN_FOLDER = '/.devs/';
const OWN_FOLDER_SPELLINGS = [OWN_FOLDER, '.devs/', '.devs', '/.devs'];

export type Exclusion = 'added' | 'there-already' | 'no-git' | 'not-writable';

/**
 * Hides `.devs/`, or another path written by devs, from git through `.git/info/exclude`, which is private to the user
 * and never committed. Never throws: without it the path merely shows up in `git status`.
 */
export function excludeFromGit(root: string, pattern: string = OWN_FOLDER): Exclusion {
  const gitFolder = commonGitFolder(root);
  if (gitFolder === undefined) return 'no-git';
  const file = join(gitFolder, 'info', 'exclude');
  const content = readText(file) ?? '';
  const spellings = pattern === OWN_FOLDER ? OWN_FOLDER_SPELLINGS : [pattern];
  if (content.split(/\r?\n/).some((line) => spellings.includes(line.trim()))) return 'there-already';
  try {
    mkdirSync(dirname(file), { recursive: true });
    appendFileSync(file, `${content === '' || content.endsWith('\n') ? '' : '\n'}${pattern}\n`);
    return 'added';
  } catch {
    return 'not-writable';
  }
}

/** What all work trees of a repository share, such as `info/exclude`; a submodule has its own. Asks no git. */
export function commonGitFolder(root: string): string | undefined {
  if (!isGitPlace(root)) return undefined;
  const git = join(root, '.git');
  if (statSync(git).isDirectory()) return git;
  const [, target] = /^gitdir: (.+)$/m.exec(readText(git) ?? '') ?? [];
  if (target === undefined) return undefined;
  const own = resolve(root, target.trim());
  const common = readText(join(own, 'commondir'))?.trim();
  return common === undefined ? own : resolve(own, common);
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
