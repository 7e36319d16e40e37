import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { diffRun } from '../diff-run.js';
import { openRepository } from './open-repository.js';

it('shows commits, changes and new files of a run, and leaves the index of its agent as it is', async () => {
  const { repository, env, make } = openRepository();
  repository.commit('known.txt', 'one\n', 'Known');
  repository.write('.env', 'TOKEN=1\n');
  const base = repository.git('rev-parse', 'HEAD');
  const { path } = await make({ copy: ['.env'] });
  writeFileSync(join(path, 'known.txt'), 'two\n');
  writeFileSync(join(path, 'new file.txt'), 'new\n');
  writeFileSync(join(path, ':(top)odd'), 'odd\n');
  symlinkSync('known.txt', join(path, 'link'));
  writeFileSync(join(path, 'id_rsa'), 'private\n');
  const before = repository.git('-C', path, 'status', '--porcelain');

  const printed = await diffRun({ folder: path, base, env });

  const text = printed.outcome === 'printed' ? printed.text : printed.outcome;
  expect(text).toContain('-one\n+two\n');
  expect(text).toContain('+new\n');
  expect(text).toContain('+odd\n');
  expect(text).toContain('new file mode 120000');
  expect(text).not.toMatch(/TOKEN|private/);
  expect(repository.git('-C', path, 'status', '--porcelain')).toBe(before);
});
