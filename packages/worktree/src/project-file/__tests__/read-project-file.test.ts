import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readProjectFile } from '../read-project-file.js';

function openFolder() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'devs-project-file-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const root = join(folder, 'project');
  mkdirSync(join(root, 'docs'), { recursive: true });
  writeFileSync(join(folder, 'id_rsa'), 'PRIVATE KEY');
  writeFileSync(join(root, 'docs', 'tas.md'), '# TAS');
  return { folder, root };
}

it('reads a regular file, also through a link that stays inside the project', () => {
  const { root } = openFolder();
  symlinkSync(join('docs', 'tas.md'), join(root, 'tas.md'));
  expect(readProjectFile(root, join('docs', 'tas.md'))).toEqual({ status: 'read', text: '# TAS' });
  expect(readProjectFile(root, 'tas.md')).toEqual({ status: 'read', text: '# TAS' });
  expect(readProjectFile(root, 'none.md')).toEqual({ status: 'missing' });
});

it('[S8] refuses a link to a file of the user, and a folder that leads out', () => {
  const { root, folder } = openFolder();
  symlinkSync(join(folder, 'id_rsa'), join(root, 'docs', 'prd.md'));
  symlinkSync(folder, join(root, 'up'));
  const refused = { status: 'refused', why: 'it leads out of the project' };
  expect(readProjectFile(root, join('docs', 'prd.md'))).toEqual(refused);
  expect(readProjectFile(root, join('up', 'id_rsa'))).toEqual(refused);
  expect(readProjectFile(root, join('..', 'id_rsa'))).toEqual(refused);
});

it('[S8] refuses what never ends: a device, a pipe without a writer, a link to itself, 2 MB', () => {
  const { root } = openFolder();
  symlinkSync('/dev/zero', join(root, 'zero'));
  symlinkSync('loop', join(root, 'loop'));
  writeFileSync(join(root, 'large'), Buffer.alloc(2 << 20));
  if (process.platform !== 'win32') execFileSync('mkfifo', [join(root, 'pipe')]);
  expect(['zero', 'loop', 'large', 'docs'].map((name) => readProjectFile(root, name).status)).toEqual(
    Array(4).fill('refused'),
  );
  expect(readProjectFile(root, 'pipe').status).toBe(process.platform === 'win32' ? 'missing' : 'refused');
});
