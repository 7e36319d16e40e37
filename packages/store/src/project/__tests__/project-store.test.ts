import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scratchFolder } from '../../sqlite/__tests__/scratch.js';
import { excludeFromGit } from '../exclude-from-git.js';
import { locateProjectStore, prepareProjectStore } from '../project-store.js';

const git = (folder: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'protocol.file.allow=always', '-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
  });

/** The real path: git and macOS resolve links in the temporary folder. */
function newRepository(): string {
  const folder = scratchFolder();
  git(folder, 'init', '-q');
  git(folder, 'commit', '-q', '--allow-empty', '-m', 'first');
  return folder;
}

const statusOf = (folder: string) => git(folder, 'status', '--porcelain');

function useStore(folder: string): string {
  const place = locateProjectStore(folder);
  prepareProjectStore(place);
  writeFileSync(place.file, '');
  return place.root;
}

describe("the place of a project's store", () => {
  it('is .devs/state.db at the top of the git work tree, from any folder in it', () => {
    const root = newRepository();
    mkdirSync(join(root, 'a', 'b'), { recursive: true });
    expect(locateProjectStore(join(root, 'a', 'b'))).toEqual({ root, file: join(root, '.devs', 'state.db') });
    expect(existsSync(join(root, '.devs'))).toBe(false);
  });

  it('is the folder itself without git, and creates no git files', () => {
    const folder = scratchFolder();
    expect(useStore(folder)).toBe(folder);
    expect((statSync(join(folder, '.devs')).mode & 0o777).toString(8)).toBe('700');
    expect(excludeFromGit(folder)).toBe('no-git');
    expect(existsSync(join(folder, '.git'))).toBe(false);
  });

  it('is the folder itself below an empty folder named .git, which is no repository', () => {
    const parent = scratchFolder();
    const folder = join(parent, 'project');
    mkdirSync(join(parent, '.git'));
    mkdirSync(folder);
    expect(useStore(folder)).toBe(folder);
    expect(useStore(parent)).toBe(parent);
    expect(readdirSync(join(parent, '.git'))).toEqual([]);
  });

  // Only root can give a file to another user.
  it.skipIf(process.getuid?.() !== 0)("is the folder itself below another user's repository", () => {
    const parent = newRepository();
    const folder = join(parent, 'project');
    mkdirSync(folder);
    expect(locateProjectStore(folder).root).toBe(parent);
    chownSync(join(parent, '.git'), 12_345, 12_345);
    expect(locateProjectStore(folder).root).toBe(folder);
    chownSync(folder, 12_345, 12_345); // all of it is theirs, as in a mounted checkout
    expect(locateProjectStore(folder).root).toBe(parent);
  });

  it('is unknown to git, without a change to .gitignore', () => {
    const root = newRepository();
    useStore(root);
    expect(statusOf(root)).toBe('');
    expect(existsSync(join(root, '.gitignore'))).toBe(false);
  });

  it('is unknown to git in a worktree and in a submodule', () => {
    const root = newRepository();
    const worktree = join(scratchFolder(), 'worktree');
    git(root, 'worktree', 'add', '-q', worktree);
    expect(useStore(worktree)).toBe(worktree);
    expect(statusOf(worktree)).toBe('');

    const outer = newRepository();
    git(outer, 'submodule', '--quiet', 'add', newRepository(), 'inner');
    const inner = join(outer, 'inner');
    expect(useStore(inner)).toBe(inner);
    expect(statusOf(inner)).toBe('');
  });

  it("is excluded once, after the user's own lines", () => {
    const root = newRepository();
    const exclude = join(root, '.git', 'info', 'exclude');
    mkdirSync(join(root, '.git', 'info'), { recursive: true });
    writeFileSync(exclude, '*.log'); // without a newline
    expect([excludeFromGit(root), excludeFromGit(root)]).toEqual(['added', 'there-already']);
    expect(readFileSync(exclude, 'utf8')).toBe('*.log\n/.devs/\n');
  });

  it('is found where .git leads nowhere, and nothing breaks', () => {
    const folder = scratchFolder();
    writeFileSync(join(folder, '.git'), 'nonsense');
    expect(excludeFromGit(folder)).toBe('no-git');
    writeFileSync(join(folder, '.git'), 'gitdir: .git/below-a-file\n');
    expect(excludeFromGit(folder)).toBe('not-writable');
    expect(useStore(folder)).toBe(folder);
  });
});
