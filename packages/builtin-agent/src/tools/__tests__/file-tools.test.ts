import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { confineChange } from '../confine-path.js';
import { openToolWorld } from './tool-world.js';

describe('the file tools', () => {
  it('write, read, edit, list and search within the worktree', async () => {
    const { call, root } = await openToolWorld();

    expect(await call('write_file', { path: 'src/a.ts', content: 'one\ntwo\nthree\n' })).toMatchObject({
      status: 'ok',
    });
    expect(await call('read_file', { path: 'src/a.ts', from: 2, to: 2 })).toMatchObject({
      status: 'ok',
      output: 'two',
    });
    expect(await call('edit_file', { path: 'src/a.ts', old: 'two', new: 'zwei' })).toMatchObject({ status: 'ok' });
    expect(readFileSync(join(root, 'src/a.ts'), 'utf8')).toBe('one\nzwei\nthree\n');
    expect(await call('list_files', {})).toMatchObject({ output: 'src/\nsrc/a.ts' });
    expect(await call('search_files', { pattern: 'z[w]ei' })).toMatchObject({ output: 'src/a.ts:2: zwei' });
    expect(await call('read_file', { path: join(root, 'src/a.ts') })).toMatchObject({ status: 'ok' });
  });

  it("read git's own files without the tokens in them", async () => {
    const { call, root } = await openToolWorld();
    mkdirSync(join(root, '.git'));
    const token = `ghp_${'Ab3dEf6hIj9k'.repeat(3)}`;
    const header = `extraheader = AUTHORIZATION: basic ${Buffer.from(`x-access-token:${token}`).toString('base64')}`;
    const config = `[remote "origin"]\n\turl = https://anna:${token}@example.com/shop.git\n[http]\n\t${header}\n`;
    writeFileSync(join(root, '.git', 'config'), config);
    for (const observed of [
      await call('read_file', { path: '.git/config' }),
      await call('read_file', { path: '.git/config', from: 2, to: 4 }),
      await call('search_files', { pattern: 'url|extraheader', path: '.git/config' }),
    ]) {
      expect(observed).toMatchObject({ status: 'ok', output: expect.stringContaining('[redacted:') });
      expect(observed.output).not.toContain(token);
      expect(observed.output).not.toContain(header.slice(-40));
    }
  });

  it.each([
    '../beside/secret.txt',
    'src/../../beside/secret.txt',
    '/etc/passwd',
    'link/secret.txt',
    'file-link',
    'dangling',
    'nul\0byte',
  ])('refuse %j, which is outside of the worktree', async (path) => {
    const { call, root, beside } = await openToolWorld();
    writeFileSync(join(beside, 'secret.txt'), 'secret');
    symlinkSync(beside, join(root, 'link'));
    symlinkSync(join(beside, 'secret.txt'), join(root, 'file-link'));
    symlinkSync(join(beside, 'not-yet.txt'), join(root, 'dangling'));

    for (const [tool, more] of [
      ['read_file', {}],
      ['write_file', { content: 'gone' }],
      ['edit_file', { old: 'secret', new: 'gone' }],
      ['list_files', {}],
      ['search_files', { pattern: 'secret' }],
    ] as const) {
      const observed = await call(tool, { path, ...more });
      expect(observed, tool).toMatchObject({ status: 'error' });
      expect(JSON.stringify(observed)).not.toContain('gone');
    }
    expect(readFileSync(join(beside, 'secret.txt'), 'utf8')).toBe('secret');
    expect(existsSync(join(beside, 'not-yet.txt'))).toBe(false);
  });

  it('[S8] follow links that stay within the worktree, and never leave it while they search', async () => {
    const { call, root, beside } = await openToolWorld();
    writeFileSync(join(beside, 'secret.txt'), 'needle');
    mkdirSync(join(root, 'real'));
    writeFileSync(join(root, 'real/a.txt'), 'needle');
    symlinkSync('real', join(root, 'alias'));
    symlinkSync(beside, join(root, 'out'));
    symlinkSync(join(beside, 'secret.txt'), join(root, 'tas.md'));
    symlinkSync('/dev/zero', join(root, 'zero'));

    expect(await call('read_file', { path: 'alias/a.txt' })).toMatchObject({ status: 'ok', output: 'needle' });
    expect(await call('search_files', { pattern: 'needle' })).toMatchObject({ output: 'real/a.txt:1: needle' });
  });

  it.each([
    ['loop', 'loop'],
    ['loop', 'missing/../loop'],
    ['loop', './other'],
    ['loop/within', 'loop'],
  ])('refuse %j where the link leads to %j, and so to itself', async (path, target) => {
    const { call, root } = await openToolWorld();
    symlinkSync(target, join(root, 'loop'));
    symlinkSync('loop', join(root, 'other'));
    for (const [tool, more] of [
      ['read_file', {}],
      ['write_file', { content: 'x' }],
      ['list_files', {}],
    ] as const) {
      const { status, errorDetail } = await call(tool, { path, ...more });
      expect({ status, errorDetail }, tool).toMatchObject({
        status: 'error',
        errorDetail: expect.stringContaining('leads to itself'),
      });
    }
  });

  it.each([
    ['.git/hooks/pre-commit', 'belongs to git'],
    ['.GIT/hooks/pre-commit', 'belongs to git'],
    ['.devs/config.yaml', 'belongs to devs'],
    ['.Devs/config.yaml', 'belongs to devs'],
    ['packages/shop/.devs/config.yaml', 'belongs to devs'],
    ['settings/config.yaml', 'belongs to devs'],
  ])('do not change %s, by which an agent could allow itself more', async (path, says) => {
    const { call, root } = await openToolWorld();
    mkdirSync(join(root, '.devs'));
    symlinkSync('.devs', join(root, 'settings'));
    for (const [tool, more] of [
      ['write_file', { content: 'permissions: { mode: allow }' }],
      ['edit_file', { old: 'ask', new: 'allow' }],
    ] as const) {
      const { status, errorDetail } = await call(tool, { path, ...more });
      expect({ status, errorDetail }, tool).toMatchObject({
        status: 'error',
        errorDetail: expect.stringContaining(says),
      });
    }
    expect(existsSync(join(root, path))).toBe(false);
  });

  it('change files in a worktree that is itself below .devs', async () => {
    const { root: project } = await openToolWorld();
    const root = join(project, '.devs/worktrees/run-1');
    mkdirSync(root, { recursive: true });
    expect(await confineChange(root, 'src/a.ts')).toBe(join(await realpath(root), 'src/a.ts'));
  });

  it.each([
    ['edit_file', { path: 'a.txt', old: 'absent', new: '' }, 'does not hold'],
    ['edit_file', { path: 'a.txt', old: 'x', new: '' }, 'more than once'],
    ['read_file', { path: 'none.txt' }, 'there is no file'],
    ['read_file', { path: '.' }, 'is a folder'],
    ['read_file', { path: 'a.txt', form: 1 }, 'form'],
    ['write_file', { path: 'b.txt' }, 'content'],
    ['search_files', { pattern: '(' }, 'no regular expression'],
    ['search_files', { pattern: '^(x+x+)+y' }, 'too long'],
  ])('%s %j explains the mistake to the model', async (tool, input, says) => {
    const { call, root } = await openToolWorld();
    writeFileSync(join(root, 'a.txt'), `${'x'.repeat(64)}\n`);
    const { status, errorDetail } = await call(tool, input);
    expect({ status, errorDetail }).toMatchObject({ status: 'error', errorDetail: expect.stringContaining(says) });
  });

  it('keep the beginning and the end of a long output', async () => {
    const { call, root } = await openToolWorld();
    writeFileSync(join(root, 'long.txt'), `first${'.'.repeat(100_000)}last`);
    const { output } = await call('read_file', { path: 'long.txt' });
    expect(output).toMatch(/^first[\s\S]*characters left out[\s\S]*last$/);
    expect(String(output).length).toBeLessThan(2_100);
  });

  it('answer a wrong name with the list of existing ones', async () => {
    const { call } = await openToolWorld();
    expect(await call('readFile', {})).toMatchObject({
      status: 'error',
      errorDetail: expect.stringContaining('read_file'),
    });
  });
});
