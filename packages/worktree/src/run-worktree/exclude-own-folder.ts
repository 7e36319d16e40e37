import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { printGit } from '../print-git.js';
import type { Git } from '../run-git.js';

const PATTERN = '.devs/';
const SPELLINGS = ['/.devs/', '.devs/', '.devs', '/.devs'];

/**
 * Hides `.devs/` from git through `.git/info/exclude`, which is never committed. Without it the folder merely shows up
 * in `git status`.
 */
export async function excludeOwnFolder(git: Git, root: string): Promise<void> {
  const printed = await printGit(git, ['rev-parse', '--git-path', 'info/exclude']);
  if (printed.outcome !== 'printed') return;
  const file = resolve(root, printed.text.trimEnd());
  const content = await readFile(file, 'utf8').catch(() => '');
  if (content.split(/\r?\n/).some((line) => SPELLINGS.includes(line.trim()))) return;
  try {
    await mkdir(dirname(file), { recursive: true });
    await appendFile(file, `${content === '' || content.endsWith('\n') ? '' : '\n'}${PATTERN}\n`);
  } catch {
    // not writable: the user sees the folder, no more
  }
}
