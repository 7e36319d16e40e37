import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readWorktree } from '../read-worktree.js';
import { createRepository, type Repository } from './repository.js';

let repository: Repository;
beforeEach(() => {
  repository = createRepository({ init: [] });
});
afterEach(() => repository.remove());

const read = (folder = repository.folder, env: Record<string, string | undefined> = repository.env) =>
  readWorktree(folder, { env, limits: { timeMs: 60_000 } });

describe('a folder without a work tree', () => {
  it('is no repository, no folder, or a file', async () => {
    expect(await read()).toEqual({ outcome: 'no-repository' });
    expect(await read(join(repository.folder, 'missing'))).toEqual({ outcome: 'no-folder' });
    expect(await read(repository.write('file', ''))).toEqual({ outcome: 'no-folder' });
  });

  it('is a bare repository, or inside .git', async () => {
    repository.git('init', '--quiet', '--bare', 'bare');
    repository.git('init', '--quiet', 'whole');
    expect(await read(join(repository.folder, 'bare'))).toEqual({ outcome: 'no-work-tree' });
    expect(await read(join(repository.folder, 'whole/.git'))).toEqual({ outcome: 'no-work-tree' });
  });

  it('cannot be read without git', async () => {
    expect(await read(repository.folder, { PATH: join(repository.folder, 'nothing-here') })).toEqual({
      outcome: 'no-git',
    });
  });

  it('says what git said when it refused', async () => {
    repository.git('init', '--quiet');
    repository.write('.git/config', '[core\n');
    expect(await read()).toMatchObject({ outcome: 'failed', message: expect.stringContaining('bad config') });
  });
});

/** A git that prints its own location and hangs on every other command, together with a child process. */
const HANGING = `#!/bin/sh
case "$*" in
  *show-toplevel*) echo true; echo "$PWD"; exit 0;;
  *absolute-git-dir*) echo "$PWD/.git"; exit 0;;
esac
sleep 600 & echo $! > "$PWD/child"
wait
`;

describe('a git that hangs', () => {
  const isGone = (pid: number) => {
    try {
      // A process that was killed and not yet reaped by its new parent is gone for our purposes.
      return /^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
    } catch {
      return true;
    }
  };
  const until = async (condition: () => boolean) => {
    while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
  };
  const child = () => join(repository.folder, 'child');
  const childPid = () => Number(readFileSync(child(), 'utf8'));

  it.skipIf(!existsSync('/proc/self/status'))('is killed with its children, and the reading says so', async () => {
    repository.write('bin/git', HANGING, 0o755);
    const env = { PATH: `${join(repository.folder, 'bin')}:${process.env.PATH}` };
    const reading = await readWorktree(repository.folder, { env, limits: { timeMs: 1_500 } });
    expect(reading).toEqual({ outcome: 'timed-out', afterMs: 1_500 });
    if (existsSync(child())) await until(() => isGone(childPid()));
  });

  it.skipIf(!existsSync('/proc/self/status'))('can be aborted at any time', async () => {
    repository.write('bin/git', HANGING, 0o755);
    const env = { PATH: `${join(repository.folder, 'bin')}:${process.env.PATH}` };
    const stop = new AbortController();
    const reading = readWorktree(repository.folder, { env, signal: stop.signal, limits: { timeMs: 60_000 } });
    await until(() => existsSync(child()) && childPid() > 0);
    stop.abort();
    expect(await reading).toEqual({ outcome: 'cancelled' });
    await until(() => isGone(childPid()));
  });
});

describe('a git that answers some questions only', () => {
  it('reports what git answered and names what is missing', async () => {
    repository.git('init', '--quiet', '--initial-branch=main');
    const commit = repository.commit('a', '1\n', 'first');
    repository.write('a', '2\n');
    const real = process.env.PATH?.split(':')
      .map((folder) => join(folder, 'git'))
      .find((path) => existsSync(path));
    repository.write(
      'bin/git',
      `#!/bin/sh\ncase "$*" in *numstat*|*"log "*) exit 1;; esac\nexec ${real} "$@"\n`,
      0o755,
    );
    const env = { ...repository.env, PATH: `${join(repository.folder, 'bin')}:${process.env.PATH}` };
    expect(await readWorktree(repository.folder, { env, limits: { timeMs: 60_000 } })).toMatchObject({
      outcome: 'read',
      worktree: {
        commit,
        commits: [],
        leftOut: ['git did not count the changed lines', 'git did not list the recent commits'],
      },
    });
  });
});
