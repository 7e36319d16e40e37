import { appendFileSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const PATTERN = '/.devs/';

export type Exclusion = 'added' | 'there-already' | 'no-git' | 'not-writable';

/**
 * Keeps `.devs/` out of git through `.git/info/exclude`, which is the user's alone and in no commit. Never throws: what is
 * not excluded is seen in `git status`, no more.
 */
export function excludeFromGit(root: string): Exclusion {
  const gitFolder = commonGitFolder(root);
  if (gitFolder === undefined) return 'no-git';
  const file = join(gitFolder, 'info', 'exclude');
  const content = readText(file) ?? '';
  if (content.split(/\r?\n/).some((line) => [PATTERN, '.devs/', '.devs', '/.devs'].includes(line.trim()))) {
    return 'there-already';
  }
  try {
    mkdirSync(dirname(file), { recursive: true });
    appendFileSync(file, `${content === '' || content.endsWith('\n') ? '' : '\n'}${PATTERN}\n`);
    return 'added';
  } catch {
    return 'not-writable';
  }
}

/** Where git looks for `info/exclude`: worktrees share that of the repository, a submodule has its own. */
function commonGitFolder(root: string): string | undefined {
  const git = join(root, '.git');
  const found = statSync(git, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  if (found.isDirectory()) return git;
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
