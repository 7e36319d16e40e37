import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runDevs } from '../../__tests__/run-devs.js';
import { createScene } from './scene.js';

const compact = { source: 'compact' };

function sceneWithWork() {
  const scene = createScene();
  scene.asks('Sort the widgets.');
  scene.says('Sorted.');
  return scene;
}

const runIn = (scene: ReturnType<typeof createScene>, payload: object) =>
  runDevs(['hook', 'claude-code'], {
    cwd: scene.folder,
    input: JSON.stringify(payload),
    env: { XDG_STATE_HOME: join(scene.folder, 'state') },
  });

describe('a hook in a project that somebody else made', () => {
  it.each(['.devs/hooks', '.devs'])('writes and removes nothing through a link in place of %s', async (linked) => {
    const scene = sceneWithWork();
    const documents = join(scene.folder, 'documents');
    mkdirSync(join(documents, 'hooks'), { recursive: true });
    for (const name of ['thesis.tex', 'notes.json', 'hooks/thesis.json']) {
      writeFileSync(join(documents, name), 'mine');
      utimesSync(join(documents, name), 1, 1);
    }
    mkdirSync(join(scene.project, linked, '..'), { recursive: true });
    symlinkSync(documents, join(scene.project, linked));
    const before = readdirSync(documents, { recursive: true });

    for (const payload of [scene.payload('SessionEnd'), scene.payload('SessionStart', compact), scene.payload('Stop')])
      expect((await runIn(scene, payload)).exitCode).toBe(0);

    expect(readdirSync(documents, { recursive: true })).toEqual(before);
    expect(readFileSync(join(scene.folder, 'state', 'devs', 'hook.log'), 'utf8')).toContain('leads elsewhere');
  });

  it('does not write its log through a link', async () => {
    const scene = sceneWithWork();
    const target = join(scene.folder, 'profile');
    writeFileSync(target, '');
    mkdirSync(join(scene.project, '.devs', 'hooks'), { recursive: true });
    symlinkSync(target, scene.keptFile('hook.log'));
    await scene.hook('SessionStart', compact);
    expect(readFileSync(target, 'utf8')).toBe('');
  });

  it('removes only old files of its own', async () => {
    const scene = sceneWithWork();
    mkdirSync(join(scene.project, '.devs', 'hooks'), { recursive: true });
    for (const name of ['thesis.tex', 'claude-code-old.record.json']) {
      writeFileSync(scene.keptFile(name), '{}');
      utimesSync(scene.keptFile(name), 1, 1);
    }
    await scene.hook('SessionEnd');
    expect([
      existsSync(scene.keptFile('thesis.tex')),
      existsSync(scene.keptFile('claude-code-old.record.json')),
    ]).toEqual([true, false]);
  });

  it('[H6] keeps what it writes out of git, whatever it writes first', async () => {
    const scene = sceneWithWork();
    execFileSync('git', ['init', '--quiet'], { cwd: scene.project });
    scene.writeFile('.devs/hooks.json', '{ "open": "perhaps" }');
    scene.writeFile('PRD.md', '# Product\nWidgets are sorted.\n');
    await scene.hook('SessionStart', compact);
    expect(existsSync(scene.keptFile('hook.log'))).toBe(true);
    const seen = execFileSync('git', ['status', '--porcelain', '-uall'], { cwd: scene.project, encoding: 'utf8' });
    expect(seen).toBe('?? PRD.md\n');
  });

  it('brings no file from outside of it before the model, unless the user himself names it', async () => {
    const scene = sceneWithWork();
    const secret = join(scene.folder, 'private.md');
    writeFileSync(secret, '# Private\nswordfish-42\n');
    scene.writeFile('.devs/hooks.json', JSON.stringify({ specs: { tas: secret } }));
    symlinkSync(secret, join(scene.project, 'PRD.md'));
    expect(await scene.hook('SessionStart', compact)).not.toContain('swordfish');
    expect(await scene.hook('SessionStart', { ...compact, env: { DEVS_HOOK_TAS: secret } })).toContain('swordfish');
  });

  it('says nothing about a transcript that is none, and does not wait for a pipe', async () => {
    const scene = createScene();
    writeFileSync(scene.transcriptOf('s1'), 'root:x:0:0:root:/root:/bin/bash\n');
    expect(await scene.hook('SessionStart', compact)).toBeUndefined();
    execFileSync('mkfifo', [scene.transcriptOf('s2')]);
    await expect(scene.hook('SessionStart', { ...compact, session: 's2' })).rejects.toThrow('is no file');
  });

  it('does not bring back a folder that is gone', async () => {
    const scene = createScene();
    const gone = join(scene.folder, 'removed-worktree');
    const run = await runIn(scene, { ...scene.payload('SessionStart', compact), cwd: gone });
    expect(run).toEqual({ exitCode: 0, stdout: '', stderr: '' });
    expect(existsSync(gone)).toBe(false);
  });
});
