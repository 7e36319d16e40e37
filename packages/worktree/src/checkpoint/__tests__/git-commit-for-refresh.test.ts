import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createRepository, type Repository } from '../../__tests__/repository.js';
import { gitCommitForRefresh } from '../git-commit-for-refresh.js';

function repositoryWithWork() {
  const repository = createRepository();
  onTestFinished(repository.remove);
  repository.git('config', 'user.name', 'A');
  repository.git('config', 'user.email', 'a@b');
  repository.commit('a.ts', '1\n', 'First');
  repository.write('a.ts', '2\n');
  repository.write('new.ts', '1\n');
  return repository;
}

const commit = ({ folder, env }: Repository, push = false) =>
  gitCommitForRefresh(folder, { message: 'Before: $(date) `x`', push, env });

describe('a commit on the branch before a renewal, for those who ask for it', () => {
  it('takes the work, leaves out secrets and leaves what else is staged', async () => {
    const repository = repositoryWithWork();
    repository.write('.env', 'PASSWORD=hunter2\n');
    const result = await commit(repository);
    expect(result).toMatchObject({
      outcome: 'committed',
      pushed: false,
      leftOut: [{ path: '.env', reason: 'secret' }],
    });
    expect(repository.git('log', '-1', '--format=%s')).toBe('Before: $(date) `x`');
    expect(repository.git('show', '--name-only', '--format=', 'HEAD').split('\n').sort()).toEqual(['a.ts', 'new.ts']);
    expect(repository.git('status', '--porcelain')).toBe('?? .env');
  });

  it("uses the author from the user's environment and asks for no passphrase", async () => {
    const repository = repositoryWithWork();
    repository.git('config', '--unset', 'user.name');
    repository.git('config', '--unset', 'user.email');
    repository.git('config', 'user.useConfigOnly', 'true');
    repository.git('config', 'commit.gpgSign', 'true');
    repository.git('config', 'gpg.program', 'false');
    const name = { GIT_AUTHOR_NAME: 'Ada', GIT_AUTHOR_EMAIL: 'ada@example.org' };
    const committer = { GIT_COMMITTER_NAME: 'Ada', GIT_COMMITTER_EMAIL: 'ada@example.org' };
    const env = { ...repository.env, ...name, ...committer };
    expect(await commit({ ...repository, env })).toMatchObject({ outcome: 'committed' });
    expect(repository.git('log', '-1', '--format=%an <%ce>')).toBe('Ada <ada@example.org>');
  });

  it('does nothing without changes', async () => {
    const repository = repositoryWithWork();
    await commit(repository);
    expect(await commit(repository)).toEqual({ outcome: 'nothing-to-commit', leftOut: [] });
  });

  it('takes the other work where a staged or renamed file has gone', async () => {
    const repository = repositoryWithWork();
    repository.write('tmp.ts', '1\n');
    repository.commit('old.ts', 'a line that is long enough to be known again\n', 'Old');
    repository.git('add', 'tmp.ts');
    repository.git('mv', 'old.ts', 'moved.ts');
    for (const name of ['tmp.ts', 'moved.ts']) rmSync(join(repository.folder, name));
    expect(repository.git('status', '--porcelain')).toMatch(/^AD tmp\.ts$/m);
    expect(await commit(repository)).toMatchObject({ outcome: 'committed' });
    expect(repository.git('show', '--name-status', '--format=', 'HEAD').split('\n')).toEqual([
      'M\ta.ts',
      'A\tnew.ts',
      'D\told.ts',
    ]);
    expect(repository.git('status', '--porcelain')).toBe('');
  });

  it('does nothing when every changed file has disappeared', async () => {
    const repository = repositoryWithWork();
    await commit(repository);
    repository.write('tmp.ts', '1\n');
    repository.git('add', 'tmp.ts');
    rmSync(join(repository.folder, 'tmp.ts'));
    expect(await commit(repository)).toEqual({ outcome: 'nothing-to-commit', leftOut: [] });
  });

  it.each([
    ['index.lock', 'update-index'],
    ['refs/heads/main.lock', 'commit'],
  ])('waits for a git that holds %s', async (name, command) => {
    const repository = repositoryWithWork();
    const lock = repository.write(`.git/${name}`, '');
    const bin = join(repository.folder, '.git/bin');
    const real = execFileSync('which', ['git'], { encoding: 'utf8' }).trim();
    // The lock goes when its command is tried for the second time.
    const script = `case "$*" in *" ${command} "*) [ ! -e "${bin}/met" ] || rm -f "${lock}"; touch "${bin}/met";; esac`;
    repository.write('.git/bin/git', `#!/bin/sh\n${script}\nexec "${real}" "$@"\n`, 0o755);
    const env = { ...repository.env, PATH: `${bin}:${repository.env.PATH}` };
    expect(await commit({ ...repository, env })).toMatchObject({ outcome: 'committed' });
  });

  it('pushes where it is asked to, and says why it could not', async () => {
    const repository = repositoryWithWork();
    expect(await commit(repository, true)).toMatchObject({
      outcome: 'committed',
      pushed: false,
      pushError: expect.any(String),
    });

    const remote = createRepository({ init: ['init', '--bare', '--initial-branch=main'] });
    onTestFinished(remote.remove);
    repository.git('remote', 'add', 'origin', remote.folder);
    repository.git('push', '--quiet', '-u', 'origin', 'main');
    repository.write('a.ts', '3\n');
    expect(await commit(repository, true)).toMatchObject({ outcome: 'committed', pushed: true });
    expect(remote.git('rev-parse', 'main')).toBe(repository.git('rev-parse', 'HEAD'));
  });

  it('keeps away from a merge that is under way and from a detached head', async () => {
    const repository = repositoryWithWork();
    repository.git('checkout', '--quiet', '--detach');
    expect(await commit(repository)).toEqual({ outcome: 'refused', reason: 'no branch is checked out' });
    repository.write('.git/MERGE_HEAD', `${repository.git('rev-parse', 'HEAD')}\n`);
    expect(await commit(repository)).toMatchObject({ outcome: 'refused', reason: 'a merge is under way' });
  });
});
