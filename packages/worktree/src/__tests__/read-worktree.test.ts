import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readWorktree } from '../read-worktree.js';
import type { Worktree } from '../worktree.js';
import { createRepository, type Repository } from './repository.js';

let repository: Repository;
beforeEach(() => {
  repository = createRepository();
});
afterEach(() => repository.remove());

/** Generous, as machines may be busy: none of these tests waits for it. */
const timeMs = 60_000;

async function read(limits: { files?: number; commits?: number } = {}, folder = repository.folder): Promise<Worktree> {
  const reading = await readWorktree(folder, { env: repository.env, limits: { timeMs, ...limits } });
  if (reading.outcome !== 'read') throw new Error(`not read: ${JSON.stringify(reading)}`);
  return reading.worktree;
}

describe('the changes in a work tree', () => {
  it('are reported with staged and unstaged parts and line counts', async () => {
    for (const name of ['both', 'deleted', 'gone', 'moved']) repository.write(name, `${name}\n`.repeat(8));
    repository.write('binary', '\0\x01');
    repository.git('add', '--all');
    repository.git('commit', '--quiet', '-m', 'all');
    repository.write('both', `${'both\n'.repeat(7)}staged\n`);
    repository.write('binary', '\0\x02');
    repository.write('added', 'new\n');
    repository.git('add', 'both', 'added');
    repository.git('rm', '--quiet', 'deleted');
    repository.git('mv', 'moved', 'new place');
    repository.write('both', `${'both\n'.repeat(7)}staged\nnot staged\n`);
    repository.git('rm', '--quiet', '--cached', 'gone');
    repository.write('folder/untracked', 'x\n');

    expect((await read()).changes).toEqual([
      { path: 'added', state: 'changed', staged: 'added', lines: { added: 1, deleted: 0 } },
      { path: 'binary', state: 'changed', unstaged: 'modified', lines: 'binary' },
      { path: 'both', state: 'changed', staged: 'modified', unstaged: 'modified', lines: { added: 2, deleted: 1 } },
      { path: 'deleted', state: 'changed', staged: 'deleted', lines: { added: 0, deleted: 8 } },
      { path: 'gone', state: 'changed', staged: 'deleted', lines: { added: 0, deleted: 8 } },
      { path: 'new place', from: 'moved', state: 'changed', staged: 'renamed', lines: { added: 0, deleted: 0 } },
      { path: 'folder/untracked', state: 'untracked' },
      { path: 'gone', state: 'untracked' },
    ]);
  });

  it('keep their names, including unusual characters', async () => {
    const names = ['line\nbreak', '"quoted"', 'tab\there', 'ünïcödé 日本', '-n', '2 R. not a record', ' spaces '];
    for (const name of names) repository.commit(name, 'x\n', 'add');
    for (const name of names) repository.write(name, 'y\n');
    repository.git('mv', '--', 'line\nbreak', 'another\nname');
    const { changes } = await read();
    expect(changes.map(({ path }) => path).sort()).toEqual([...names.slice(1), 'another\nname'].sort());
    expect(changes.find(({ path }) => path === 'another\nname')?.from).toBe('line\nbreak');
    expect(changes.every(({ lines }) => lines !== undefined)).toBe(true);
  });

  it('are counted beyond the limit', async () => {
    for (let index = 0; index < 1_200; index++) repository.write(`many/${String(index).padStart(5, '0')}`, '');
    const { changes, moreChanges } = await read({ files: 10 });
    expect([changes.length, moreChanges]).toEqual([10, 1_190]);
  });

  it('are relative to the top, also when asked from a subfolder', async () => {
    repository.commit('below/a', 'x\n', 'add');
    repository.write('below/a', 'y\n');
    const { root, changes } = await read({}, join(repository.folder, 'below'));
    expect(root).toBe(repository.folder);
    expect(changes).toEqual([
      { path: 'below/a', state: 'changed', unstaged: 'modified', lines: { added: 1, deleted: 1 } },
    ]);
  });

  it('include what happens in a submodule', async () => {
    const library = createRepository();
    try {
      library.commit('a', 'x\n', 'add');
      repository.git('submodule', '--quiet', 'add', library.folder, 'library');
      repository.git('commit', '--quiet', '-m', 'add library');
      repository.write('library/a', 'y\n');
      repository.write('library/b', 'new\n');
      expect((await read()).changes).toEqual([
        {
          path: 'library',
          state: 'changed',
          unstaged: 'modified',
          submodule: { commitChanged: false, modified: true, untracked: true },
        },
      ]);
    } finally {
      library.remove();
    }
  });
});

describe('the state of a work tree', () => {
  it('is a branch, its last commits, and how far it is from its upstream', async () => {
    const first = repository.commit('a', '1\n', 'first “quoted” | % subject');
    repository.git('branch', 'upstream');
    const second = repository.commit('a', '2\n', 'second');
    repository.git('branch', '--quiet', '--set-upstream-to=upstream');
    const at = '2026-01-02T03:04:05.000Z';
    expect(await read()).toEqual({
      root: repository.folder,
      folder: '',
      branch: 'main',
      commit: second,
      upstream: { name: 'upstream', ahead: 1, behind: 0 },
      changes: [],
      moreChanges: 0,
      commits: [
        { hash: second, subject: 'second', at },
        { hash: first, subject: 'first “quoted” | % subject', at },
      ],
      leftOut: [],
    });
    repository.git('branch', '--quiet', '-D', 'upstream');
    expect((await read({ commits: 1 })).upstream).toEqual({ name: 'upstream' });
    expect((await read({ commits: 1 })).commits).toHaveLength(1);
  });

  it('may be no branch', async () => {
    const commit = repository.commit('a', '1\n', 'first');
    repository.git('checkout', '--quiet', '--detach');
    const worktree = await read();
    expect(worktree.commit).toBe(commit);
    expect(worktree.branch).toBeUndefined();
  });

  it('may be before the first commit', async () => {
    repository.write('staged', '1\n2\n');
    repository.git('add', 'staged');
    expect(await read()).toEqual({
      root: repository.folder,
      folder: '',
      branch: 'main',
      changes: [{ path: 'staged', state: 'changed', staged: 'added', lines: { added: 2, deleted: 0 } }],
      moreChanges: 0,
      commits: [],
      leftOut: [],
    });
  });

  it('may be in a repository that computes names otherwise', async () => {
    const other = createRepository({ init: ['init', '--quiet', '--object-format=sha256', '--initial-branch=main'] });
    try {
      other.write('staged', '1\n');
      other.git('add', 'staged');
      expect((await read({}, other.folder)).changes[0]?.lines).toEqual({ added: 1, deleted: 0 });
      const commit = other.commit('a', '1\n', 'first');
      expect((await read({}, other.folder)).commits[0]?.hash).toBe(commit);
    } finally {
      other.remove();
    }
  });

  const diverge = () => {
    repository.commit('a', '1\n', 'first');
    repository.git('checkout', '--quiet', '-b', 'side');
    repository.commit('a', 'side\n', 'side');
    repository.git('checkout', '--quiet', 'main');
    repository.commit('a', 'main\n', 'main');
  };

  it('may be in the middle of a merge', async () => {
    diverge();
    for (const name of ['b', 'c', 'd']) repository.write(name, 'x\n');
    repository.git('add', 'b', 'c');
    repository.git('commit', '--quiet', '-m', 'more');
    repository.write('b', 'y\n');
    repository.git('stash', '--quiet');
    repository.tryGit('merge', 'side');
    const { operation, changes } = await read();
    expect(operation).toEqual({ kind: 'merge' });
    expect(changes[0]).toMatchObject({ path: 'a', state: 'conflicted' });
  });

  it('may be in the middle of a rebase of a branch', async () => {
    diverge();
    repository.tryGit('rebase', 'side');
    const { operation, branch } = await read();
    expect([operation, branch]).toEqual([{ kind: 'rebase', branch: 'main' }, undefined]);
  });

  it.each([
    ['cherry-pick', ['cherry-pick', 'side']],
    ['revert', ['revert', '--no-edit', 'HEAD~1']],
    ['bisect', ['bisect', 'start']],
  ])('may be in the middle of a %s', async (kind, args) => {
    diverge();
    repository.tryGit(...args);
    expect((await read()).operation).toEqual({ kind });
  });

  it('keeps conflicts when there are more changes than the limit', async () => {
    repository.write('b', 'x\n');
    repository.write('c', 'x\n');
    repository.git('add', '--all');
    diverge();
    repository.tryGit('merge', 'side');
    repository.write('b', 'y\n');
    repository.write('c', 'y\n');
    const { changes, moreChanges } = await read({ files: 1 });
    expect(changes.map(({ path, state }) => `${path} ${state}`)).toEqual(['a conflicted']);
    expect(moreChanges).toBe(2);
  });
});
