import { createRandom, plantedSecrets, rounds, seed } from '@devs/core/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createRepository } from '../../__tests__/repository.js';
import { gitCommitForRefresh } from '../git-commit-for-refresh.js';
import { saveCheckpoint } from '../save-checkpoint.js';

/** A file for each kind of secret, in the surroundings in which people leave them, among work without any. */
function repositoryWithSecrets() {
  const repository = createRepository();
  onTestFinished(repository.remove);
  repository.commit('README.md', 'A shop.\n', 'Begun');
  repository.git('config', 'user.name', 'A');
  repository.git('config', 'user.email', 'a@b');
  const planted = plantedSecrets(createRandom(seed()), rounds(2)).map(({ document, kind }, index) => {
    const path = `src/${kind}-${index}.txt`;
    repository.write(path, document);
    return path;
  });
  repository.write('src/work.ts', 'export const basket = new Map<string, number>();\n');
  return { ...repository, planted };
}

/** Not under test: a busy machine needs time for a hundred files. */
const PATIENCE_MS = 240_000;

const pathsOf = (leftOut: readonly { readonly path: string; readonly reason: string }[]) =>
  leftOut.filter(({ reason }) => reason === 'secret').map(({ path }) => path);

describe('secrets of every kind', () => {
  it('[H6] are left out of a checkpoint, and their files are named', async () => {
    const { folder, env, git, planted } = repositoryWithSecrets();
    const saved = await saveCheckpoint(
      folder,
      { terminal: 't', id: 'r', number: 1, message: 'm' },
      { env, limits: { timeMs: PATIENCE_MS } },
    );
    if (saved.outcome !== 'saved') throw new Error(saved.outcome);

    expect(pathsOf(saved.leftOut).sort()).toEqual([...planted].sort());
    expect(git('--git-dir=.git/devs/checkpoints.git', 'ls-tree', '-r', '--name-only', saved.ref).split('\n')).toEqual([
      'README.md',
      'src/work.ts',
    ]);
  });

  it('[H6] are left out of a commit on a branch of the user or a run, and their files are named', async () => {
    const { folder, env, git, planted } = repositoryWithSecrets();
    const committed = await gitCommitForRefresh(folder, { message: 'm', env, timeoutMs: PATIENCE_MS });
    if (committed.outcome !== 'committed') throw new Error(committed.outcome);

    expect(pathsOf(committed.leftOut).sort()).toEqual([...planted].sort());
    expect(git('ls-tree', '-r', '--name-only', 'HEAD').split('\n')).toEqual(['README.md', 'src/work.ts']);
  });
});
