import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createRepository, type Repository } from '../../__tests__/repository.js';
import { checkpointRef } from '../checkpoint-ref.js';
import { saveCheckpoint } from '../save-checkpoint.js';

// Joined at run time, so that secret scanners do not flag this file.
const TOKEN = ['ghp', 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5'].join('_');
const KEY = [
  '-----BEGIN ',
  'PRIVATE KEY-----\n',
  'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n',
  '-----END PRIVATE KEY-----\n',
].join('');

function repositoryWithWork() {
  const repository = createRepository();
  onTestFinished(repository.remove);
  repository.commit('src/parser.ts', 'export const a = 1;\n', 'The parser');
  repository.commit('.gitignore', 'node_modules\n', 'Ignore what is installed');
  repository.write('src/parser.ts', 'export const a = 2;\n');
  repository.write('src/new file.ts', 'export const b = 1;\n');
  repository.write('node_modules/x/index.js', 'ignored');
  return repository;
}

const save = ({ folder, env }: Repository, message = 'Before the renewal', number = 1) =>
  saveCheckpoint(folder, { terminal: 'worker 1', id: `renewal ${number}.`, number, message }, { env });

/** git in the repository that holds the checkpoints. */
const kept = (repository: Repository, ...args: readonly string[]) =>
  repository.git(`--git-dir=${join(repository.folder, '.git', 'devs', 'checkpoints.git')}`, ...args);

const filesIn = (repository: Repository, ref: string) =>
  kept(repository, 'ls-tree', '-r', '--name-only', '-z', ref)
    .split('\0')
    .filter((path) => path !== '')
    .sort();

/** Everything that must not change: files, index, head, branches and operations in progress. */
function fingerprint({ folder, git }: Repository) {
  const hash = createHash('sha256');
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    if (/^\.git\/(?:objects|devs)/.test(path)) continue;
    const file = join(folder, path);
    const found = lstatSync(file);
    hash.update(`${path} ${found.mode} ${found.size}\n`);
    if (found.isFile() && found.size < 1 << 20) hash.update(readFileSync(file));
  }
  return {
    files: hash.digest('hex'),
    branches: git('for-each-ref', 'refs/heads', 'refs/tags', 'refs/remotes', 'refs/stash'),
  };
}

describe('a checkpoint', () => {
  it("holds the current work on a private ref and changes nothing of the user's", async () => {
    const repository = repositoryWithWork();
    const before = fingerprint(repository);
    const result = await save(repository);
    expect(result).toMatchObject({ outcome: 'saved', ref: checkpointRef('worker 1', 1), leftOut: [], moreChanges: 0 });
    expect(fingerprint(repository)).toEqual(before);
    const ref = checkpointRef('worker 1', 1);
    expect(filesIn(repository, ref)).toEqual(['.gitignore', 'src/new file.ts', 'src/parser.ts']);
    expect(kept(repository, 'show', `${ref}:src/parser.ts`)).toBe('export const a = 2;');
    expect(kept(repository, 'rev-parse', `${ref}^`)).toBe(repository.git('rev-parse', 'HEAD'));
    expect(repository.git('branch', '--list', '--all')).not.toContain('devs');
  });

  it('includes a change made in the same moment as the index was written', async () => {
    const repository = createRepository();
    onTestFinished(repository.remove);
    repository.git('config', 'core.trustctime', 'false'); // which a test cannot set
    const file = repository.write('a.ts', '1\n');
    const then = 1_700_000_000;
    utimesSync(file, then, then);
    repository.git('add', 'a.ts');
    repository.git('commit', '--quiet', '-m', 'One');
    repository.write('a.ts', '2\n'); // as long as before, and at the same time
    utimesSync(file, then, then);
    utimesSync(join(repository.folder, '.git', 'index'), then, then);
    expect(await save(repository)).toMatchObject({ outcome: 'saved' });
    expect(kept(repository, 'show', `${checkpointRef('worker 1', 1)}:a.ts`)).toBe('2');
  });

  it('returns the existing checkpoint when saved twice, even after more work', async () => {
    const repository = repositoryWithWork();
    const first = await save(repository);
    repository.write('src/parser.ts', 'export const a = 3;\n');
    expect(await save(repository)).toMatchObject({ commit: first.outcome === 'saved' ? first.commit : '' });
    expect(await save(repository, 'Later', 2)).toMatchObject({ ref: checkpointRef('worker 1', 2) });
  });

  it('[H6] leaves out planted secrets and huge files, tracked or staged or not, and names them', async () => {
    const repository = repositoryWithWork();
    repository.commit('config.json', '{}\n', 'Settings');
    repository.write('config.json', JSON.stringify({ token: TOKEN }));
    repository.git('add', 'config.json');
    repository.write('.env', 'PASSWORD=hunter2\n');
    repository.write('.env.example', 'PASSWORD=\n');
    repository.write('notes.txt', KEY);
    truncateSync(repository.write('huge.bin', ''), 2 ** 31);
    const before = fingerprint(repository);
    const result = await save(repository);
    expect(fingerprint(repository)).toEqual(before);
    expect(result.outcome === 'saved' && [...result.leftOut].sort((a, b) => a.path.localeCompare(b.path))).toEqual([
      { path: '.env', reason: 'secret' },
      { path: 'config.json', reason: 'secret' },
      { path: 'huge.bin', reason: 'too large' },
      { path: 'notes.txt', reason: 'secret' },
    ]);
    const ref = checkpointRef('worker 1', 1);
    expect(kept(repository, 'show', `${ref}:config.json`)).toBe('{}');
    expect(filesIn(repository, ref)).toContain('.env.example');
    expect(filesIn(repository, ref)).not.toContain('huge.bin');
    const everything = execFileSync('git', ['cat-file', '--batch-all-objects', '--batch'], { cwd: repository.folder });
    // The user staged the token themselves; devs stored none of the other secrets.
    expect(everything.includes('hunter2')).toBe(false);
    expect(everything.includes('MIIEvQIBADANBgkqhkiG9w0BAQEFAASC')).toBe(false);
  });

  it('[H6] keeps a file whose secret is committed already, and leaves it out when it gets another one', async () => {
    const repository = repositoryWithWork();
    const text = `const example = '${TOKEN}';\n`;
    repository.commit('example.ts', text, 'An example');
    repository.write('example.ts', `${text}export default example;\n`);
    expect(await save(repository)).toMatchObject({ outcome: 'saved', leftOut: [] });

    repository.write('example.ts', `${text}const password = 'hunter2-Zq81xKp0';\n`);
    expect(await save(repository, 'Later', 2)).toMatchObject({ leftOut: [{ path: 'example.ts', reason: 'secret' }] });
  });

  it('[H6] finds a secret at the end of a large file, in a file of UTF-16 and between bytes that are not text', async () => {
    const repository = repositoryWithWork();
    repository.write('large.log', `${'nothing here\n'.repeat(200_000)}token=${TOKEN}\n`);
    writeFileSync(
      join(repository.folder, 'windows.txt'),
      Buffer.from(`\ufeffpassword: hunter2-Zq81xKp0\r\n`, 'utf16le'),
    );
    writeFileSync(join(repository.folder, 'data.bin'), Buffer.concat([Buffer.alloc(64), Buffer.from(` ${TOKEN} `)]));
    writeFileSync(join(repository.folder, 'picture.bin'), Buffer.alloc(4_096, 'q7Zt8wXv3KpR5mNs9LbY2cDf\0'));
    const result = await save(repository);
    expect(result.outcome === 'saved' && result.leftOut.map(({ path }) => path).sort()).toEqual([
      'data.bin',
      'large.log',
      'windows.txt',
    ]);
  });

  it('is not published by `git push --mirror`, from no work tree, and outlives `git gc`', async () => {
    const repository = repositoryWithWork();
    repository.git('worktree', 'add', '--quiet', '-b', 'run', 'linked');
    await save(repository);
    const linked = join(repository.folder, 'linked');
    repository.write('linked/src/parser.ts', 'export const a = 7;\n');
    await saveCheckpoint(linked, { terminal: 'w2', id: 'r', number: 1, message: 'm' }, { env: repository.env });
    const mirror = join(repository.folder, 'mirror.git');
    mkdirSync(mirror);
    repository.git('init', '--quiet', '--bare', mirror);
    repository.git('push', '--quiet', '--mirror', mirror);
    repository.git('-C', linked, 'push', '--quiet', '--mirror', mirror);
    repository.git('gc', '--quiet', '--prune=now');

    expect(repository.git('-C', mirror, 'for-each-ref', '--format=%(refname)').split('\n')).toEqual([
      'refs/heads/main',
      'refs/heads/run',
    ]);
    expect(kept(repository, 'show', `${checkpointRef('w2', 1)}:src/parser.ts`)).toBe('export const a = 7;');
    repository.git('fetch', '--quiet', '.git/devs/checkpoints.git', checkpointRef('worker 1', 1));
    repository.git('checkout', '--quiet', 'FETCH_HEAD', '--', 'src/new file.ts');
  });

  it('[H5] gives any text to git as text', async () => {
    const repository = repositoryWithWork();
    const message = 'Go on: $(touch pwned) `touch pwned` "; touch pwned #\n\n--amend\n';
    await save(repository, message);
    expect(readdirSync(repository.folder)).not.toContain('pwned');
    expect(kept(repository, 'log', '-1', '--format=%B', checkpointRef('worker 1', 1))).toContain(
      '$(touch pwned) `touch pwned`',
    );
  });

  it('holds staged, deleted, renamed and linked files and leaves the index unchanged', async () => {
    const repository = repositoryWithWork();
    repository.commit('old.ts', 'the same text that is long enough to be found again\n', 'Old');
    repository.commit('gone.ts', 'x\n', 'Gone');
    repository.git('mv', 'old.ts', 'renamed.ts');
    repository.git('rm', '--quiet', 'gone.ts');
    repository.write('staged.ts', 'staged\n');
    repository.git('add', 'staged.ts');
    repository.write('staged.ts', 'and changed since\n');
    symlinkSync('src', join(repository.folder, 'link'));
    const before = fingerprint(repository);
    expect(await save(repository)).toMatchObject({ outcome: 'saved' });
    expect(fingerprint(repository)).toEqual(before);
    const ref = checkpointRef('worker 1', 1);
    expect(filesIn(repository, ref)).toEqual(
      ['.gitignore', 'link', 'renamed.ts', 'src/new file.ts', 'src/parser.ts', 'staged.ts'].sort(),
    );
    expect(kept(repository, 'show', `${ref}:staged.ts`)).toBe('and changed since');
  });

  it('works in the middle of a conflicted merge, and the merge continues', async () => {
    const repository = repositoryWithWork();
    repository.git('stash', '--quiet', '--include-untracked');
    repository.git('checkout', '--quiet', '-b', 'other');
    repository.commit('src/parser.ts', 'export const a = 5;\n', 'Five');
    repository.git('checkout', '--quiet', 'main');
    repository.commit('src/parser.ts', 'export const a = 6;\n', 'Six');
    repository.tryGit('merge', 'other');
    const before = fingerprint(repository);
    expect(await save(repository)).toMatchObject({ outcome: 'saved' });
    expect(fingerprint(repository)).toEqual(before);
    expect(kept(repository, 'show', `${checkpointRef('worker 1', 1)}:src/parser.ts`)).toContain('<<<<<<<');
    expect(repository.git('status')).toContain('Unmerged paths');
  });

  it('is possible with a detached head, without any commit, and from a folder below', async () => {
    const detached = repositoryWithWork();
    detached.git('checkout', '--quiet', '--detach');
    expect(await save(detached)).toMatchObject({ outcome: 'saved' });

    const unborn = createRepository();
    onTestFinished(unborn.remove);
    unborn.write('first.ts', 'x\n');
    expect(await save(unborn)).toMatchObject({ outcome: 'saved' });
    expect(filesIn(unborn, checkpointRef('worker 1', 1))).toEqual(['first.ts']);

    const below = repositoryWithWork();
    const result = await saveCheckpoint(
      join(below.folder, 'src'),
      { terminal: 't', id: 'r', number: 1, message: 'm' },
      { env: below.env },
    );
    expect(result).toMatchObject({ outcome: 'saved' });
    expect(filesIn(below, checkpointRef('t', 1))).toContain('src/new file.ts');
  });

  it('is a value where there is no repository', async () => {
    const nothing = createRepository({ init: [] });
    onTestFinished(nothing.remove);
    expect(await save(nothing)).toEqual({ outcome: 'no-repository' });
  });

  it('runs no hook of the user', async () => {
    const repository = repositoryWithWork();
    for (const hook of ['pre-commit', 'post-index-change', 'reference-transaction', 'post-commit'])
      repository.write(`.git/hooks/${hook}`, `#!/bin/sh\ntouch "${repository.folder}/ran-${hook}"\n`, 0o755);
    await save(repository);
    expect(readdirSync(repository.folder).filter((name) => name.startsWith('ran-'))).toEqual([]);
  });

  it.each([
    ['worker 1', 'worker_20_1'],
    ['a/../b', 'a_2f__2e__2e__2f_b'],
    ['', '_'],
  ])('of %j has its own ref', (terminal, part) => {
    expect(checkpointRef(terminal, 3)).toBe(`refs/devs/checkpoints/${part}/3`);
  });
});
