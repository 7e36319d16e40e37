import { existsSync, readFileSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { gitEnvironment } from '../git-environment.js';
import { readWorktree } from '../read-worktree.js';
import { createRepository, type Repository } from './repository.js';

let repository: Repository;
beforeEach(() => {
  repository = createRepository();
});
afterEach(() => repository.remove());

const read = (env: Record<string, string | undefined> = {}) =>
  readWorktree(repository.folder, { env: { ...repository.env, ...env }, limits: { timeMs: 60_000 } });

describe('reading a work tree', () => {
  it('runs no program that the user has configured', async () => {
    const mark = join(repository.folder, '.git', 'was-run');
    const program = repository.write(
      '.git/program',
      `#!/bin/sh\ntouch '${mark}'\ncat "$1" 2>/dev/null\nexit 0\n`,
      0o755,
    );
    repository.commit('.gitattributes', '*.txt diff=shown\n', 'attributes');
    repository.commit('a.txt', '1\n', 'first');
    repository.write('a.txt', '2\n');
    repository.git('config', 'log.showSignature', 'true');
    for (const name of ['core.fsmonitor', 'diff.external', 'diff.shown.textconv', 'core.pager', 'gpg.program']) {
      repository.git('config', name, program);
    }
    repository.write('.git/hooks/post-index-change', `#!/bin/sh\ntouch '${mark}'\n`, 0o755);
    expect(existsSync(mark)).toBe(false);

    expect(await read()).toMatchObject({ outcome: 'read', worktree: { leftOut: [] } });
    expect(existsSync(mark)).toBe(false);
    repository.git('status'); // the trap was armed
    expect(existsSync(mark)).toBe(true);
  });

  it('leaves the index as it was', async () => {
    repository.commit('a', '1\n', 'first');
    const index = join(repository.folder, '.git/index');
    utimesSync(join(repository.folder, 'a'), 1_000, 1_000); // looks changed until git has compared it, and notes that
    const before = [readFileSync(index).toString('hex'), statSync(index).mtimeMs];
    await read();
    expect([readFileSync(index).toString('hex'), statSync(index).mtimeMs]).toEqual(before);
    expect(existsSync(`${index}.lock`)).toBe(false);
    repository.git('status'); // an ordinary status does update the index
    expect(readFileSync(index).toString('hex')).not.toBe(before[0]);
  });

  it('is not misled by variables that a hook or another git left', async () => {
    repository.commit('a', '1\n', 'first');
    const elsewhere = join(repository.folder, 'elsewhere');
    const env = {
      GIT_DIR: elsewhere,
      GIT_INDEX_FILE: elsewhere,
      GIT_WORK_TREE: elsewhere,
      GIT_EXTERNAL_DIFF: elsewhere,
    };
    expect(await read(env)).toMatchObject({ outcome: 'read', worktree: { root: repository.folder } });
  });

  it('is not misled by settings that change what git prints', async () => {
    repository.commit('below/a', '1\n', 'first');
    repository.write('below/a', '2\n');
    const settings = {
      'diff.relative': 'true',
      'color.ui': 'always',
      'status.showUntrackedFiles': 'no',
      'log.date': 'raw',
    };
    for (const [name, value] of Object.entries(settings)) repository.git('config', name, value);
    repository.write('new', '');
    const reading = await readWorktree(join(repository.folder, 'below'), {
      env: repository.env,
      limits: { timeMs: 60_000 },
    });
    expect(reading).toMatchObject({
      worktree: {
        changes: [
          { path: 'below/a', lines: { added: 1, deleted: 1 } },
          { path: 'new', state: 'untracked' },
        ],
      },
    });
  });
});

describe('the environment of git', () => {
  it('ignores the environment of another git, never prompts and takes no lock', () => {
    const env = gitEnvironment({
      PATH: '/bin',
      GIT_DIR: '/x',
      GIT_CONFIG_PARAMETERS: "'core.fsmonitor=/x'",
      GIT_CONFIG_GLOBAL: '/mine',
      SSH_ASKPASS: '/x',
      LANG: 'de_DE.UTF-8',
    });
    expect(env).toEqual({
      PATH: '/bin',
      GIT_CONFIG_GLOBAL: '/mine',
      GIT_OPTIONAL_LOCKS: '0',
      GIT_TERMINAL_PROMPT: '0',
      GIT_ALLOW_PROTOCOL: '',
      GIT_NO_LAZY_FETCH: '1',
      LC_ALL: 'C',
    });
  });
});
