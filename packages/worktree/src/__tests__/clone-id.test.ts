import { cpSync, mkdtempSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readCloneId } from '../clone-id.js';
import { readRepositoryRoot } from '../read-repository-root.js';
import { createRepository } from './repository.js';

function open() {
  const repository = createRepository();
  onTestFinished(repository.remove);
  const other = realpathSync(mkdtempSync(join(tmpdir(), 'devs-clone-')));
  onTestFinished(() => rmSync(other, { recursive: true, force: true }));
  const { env } = repository;
  return {
    repository,
    other: join(other, 'copy'),
    idOf: (folder: string) => readCloneId({ folder, env }),
    rootOf: (folder: string) => readRepositoryRoot({ folder, env }),
  };
}

describe('a clone', () => {
  it('has one id, which its work trees share and its clones do not', async () => {
    const { repository, other, idOf } = open();
    repository.commit('a.txt', 'a', 'First');
    const ids = await Promise.all([1, 2, 3, 4].map(() => idOf(repository.folder)));
    expect(new Set(ids).size).toBe(1);
    expect(ids[0]).toMatch(/^[0-9a-f-]{36}$/);
    repository.git('worktree', 'add', '--quiet', other);
    expect(await idOf(other)).toBe(ids[0]);
    repository.git('clone', '--quiet', repository.folder, `${other}-2`);
    expect(await idOf(`${other}-2`)).not.toBe(ids[0]);
    expect(repository.git('status', '--porcelain')).toBe('');
  });

  it('keeps its id when it is moved, and a copy gets another one', async () => {
    const { repository, other, idOf } = open();
    repository.commit('a.txt', 'a', 'First');
    const id = await idOf(repository.folder);
    cpSync(repository.folder, other, { recursive: true });
    const copied = await idOf(other);
    expect(copied).not.toBe(id);
    expect(await idOf(other)).toBe(copied);
    renameSync(other, `${other}-moved`);
    expect(await idOf(`${other}-moved`)).toBe(copied);
    expect(await idOf(repository.folder)).toBe(id);
  });

  it('has none outside of a repository', async () => {
    const { idOf } = open();
    expect(await idOf(tmpdir())).toBeUndefined();
    expect(await idOf('/nowhere')).toBeUndefined();
  });
});

describe('the root of a repository', () => {
  it('is the same in every clone, also after another history was merged', async () => {
    const { repository, other, rootOf } = open();
    repository.commit('a.txt', 'a', 'First');
    const root = { outcome: 'found', commit: repository.git('rev-parse', 'HEAD') };
    repository.commit('b.txt', 'b', 'Second');
    repository.git('clone', '--quiet', repository.folder, other);
    expect(await rootOf(other)).toEqual(root);
    repository.git('checkout', '--quiet', '--orphan', 'unrelated');
    repository.commit('c.txt', 'c', 'Other history');
    expect(await rootOf(repository.folder)).not.toEqual(root);
    repository.git('-C', other, 'fetch', '--quiet', 'origin', 'unrelated');
    repository.git('-C', other, 'merge', '--quiet', '--allow-unrelated-histories', '--no-edit', 'FETCH_HEAD');
    expect(await rootOf(other)).toEqual(root);
  });

  it.each<[string, (of: ReturnType<typeof open>) => string, string]>([
    ['a repository without commits', ({ repository }) => repository.folder, 'no-commit'],
    [
      'a shallow clone',
      ({ repository, other }) => {
        repository.commit('a.txt', 'a', 'First');
        repository.commit('b.txt', 'b', 'Second');
        repository.git('clone', '--quiet', '--depth=1', `file://${repository.folder}`, other);
        return other;
      },
      'shallow',
    ],
    ['a folder without git', () => tmpdir(), 'no-repository'],
  ])('is not known of %s', async (_, make, outcome) => {
    const world = open();
    expect(await world.rootOf(make(world))).toEqual({ outcome });
  });
});
