import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { isTracked } from '../is-tracked.js';

it('distinguishes a tracked file from an untracked one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'devs-tracked-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, '.devs'));
  const file = join(folder, '.devs', 'config.yaml');
  writeFileSync(file, 'agent: claude\n');
  expect(await isTracked(file, process.env)).toBe(false); // no repository at all
  execFileSync('git', ['init', '--quiet'], { cwd: folder });
  expect(await isTracked(file, process.env)).toBe(false);
  execFileSync('git', ['add', '--force', '.devs/config.yaml'], { cwd: folder });
  expect(await isTracked(file, process.env)).toBe(true);
  expect(await isTracked(join(folder, '.devs', 'none.yaml'), process.env)).toBe(false);
});
