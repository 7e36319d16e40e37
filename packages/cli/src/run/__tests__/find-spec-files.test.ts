import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { findSpecFiles } from '../find-spec-files.js';

function openProject() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'devs-specs-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const root = join(folder, 'project');
  mkdirSync(join(root, 'docs'), { recursive: true });
  writeFileSync(join(folder, 'id_rsa'), 'PRIVATE KEY');
  return { folder, root };
}

it('[S8] gives no spec that is a link to a private key or to what never ends', () => {
  const { folder, root } = openProject();
  symlinkSync(join(folder, 'id_rsa'), join(root, 'docs', 'tas.md'));
  symlinkSync('/dev/zero', join(root, 'docs', 'prd.md'));
  expect(findSpecFiles(root, {})).toEqual({});
  expect(findSpecFiles(root, { tas: join('..', 'id_rsa'), prd: join(folder, 'id_rsa') })).toEqual({});
});

it('gives the real place of a spec, also through a link inside the project', () => {
  const { root } = openProject();
  writeFileSync(join(root, 'docs', 'architecture.md'), '# TAS');
  symlinkSync('architecture.md', join(root, 'docs', 'tas.md'));
  expect(findSpecFiles(root, {})).toEqual({ tas: join(root, 'docs', 'architecture.md') });
});
