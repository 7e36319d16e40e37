import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';

const PROGRAM = fileURLToPath(new URL('../../../../plugins/claude-code/bin/devs.mjs', import.meta.url));

/** The plugin outside of a checkout and a project that brings programs of the same name. */
function openScene() {
  const folder = mkdtempSync(join(tmpdir(), 'devs-plugin-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const program = (path: string, says: string) => {
    mkdirSync(join(folder, path), { recursive: true });
    writeFileSync(join(folder, path, 'devs'), `#!/bin/sh\necho ${says}\n`);
    chmodSync(join(folder, path, 'devs'), 0o755);
  };
  program('project', 'foreign');
  program('project/bin', 'foreign');
  mkdirSync(join(folder, 'a', 'b', 'c'), { recursive: true });
  const plugin = join(folder, 'a', 'b', 'c', 'devs.mjs');
  copyFileSync(PROGRAM, plugin);
  return (path: string) =>
    spawnSync(process.execPath, [plugin, 'mcp'], {
      cwd: join(folder, 'project'),
      env: { PATH: path },
      encoding: 'utf8',
    }).stdout;
}

it.each(['', ':', '.', 'bin', './bin:', '../project'])(
  'the plugin takes no devs from the project for PATH=%j',
  (path) => {
    const start = openScene();
    expect(start(path)).toBe('');
  },
);

it('the plugin takes the devs of the user', () => {
  const folder = mkdtempSync(join(tmpdir(), 'devs-own-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'devs'), '#!/bin/sh\necho own\n');
  chmodSync(join(folder, 'devs'), 0o755);
  expect(openScene()(`:${folder}:/usr/bin:/bin`)).toBe('own\n');
});
