import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings } from '@devs/core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createWorld, ROOT } from '../../__tests__/run-here.js';
import { createSettingsFiles } from '../create-settings-files.js';
import { openTrustedFiles } from '../trusted-files.js';

describe('devs config', () => {
  it('shows every value with where it comes from', async () => {
    const { done, json, files } = createWorld();
    files.set(`${ROOT}/.devs/config.yaml`, 'agent: claude\nrenewal:\n  most: 3\n');
    const shown = await done('config');
    expect(shown).toMatch(/^agent +claude +\.devs\/config\.yaml:1$/m);
    expect(shown).toMatch(/^renewal\.most +3 +\.devs\/config\.yaml:3$/m);
    expect(shown).toMatch(/^workflow +feature +default$/m);
    expect(shown).toMatch(/^model\.name +- +not said$/m);
    expect((await done('config', 'renewal')).trimEnd().split('\n')).toHaveLength(5);
    expect((await json('config', 'agent')).settings).toMatchObject([{ key: 'agent', value: 'claude' }]);
  });

  it('says what is wrong, and where', async () => {
    const { devs, files } = createWorld();
    files.set(`${ROOT}/.devs/config.yaml`, 'agnet: claude\nrenewal: { most: many }\n');
    const { exitCode, stderr } = await devs(['config']);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(
      ".devs/config.yaml:1:1: The configuration has an unknown key 'agnet' (did you mean 'agent'?)",
    );
    expect(stderr).toContain('.devs/config.yaml:2:18: renewal.most must be a whole number');
    expect(JSON.parse((await devs(['config', '--json'])).stdout)).toMatchObject({
      ok: false,
      problems: [{ line: 1 }, {}],
    });
    expect((await devs(['config', 'nothing'])).exitCode).toBe(1);
  });
});

describe('the files of a user', () => {
  function createHome() {
    const home = mkdtempSync(join(tmpdir(), 'devs-config-'));
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    mkdirSync(join(home, '.config', 'devs'), { recursive: true });
    mkdirSync(join(home, 'shop', '.devs'), { recursive: true });
    const root = join(home, 'shop');
    const layersFor = (env: Record<string, string>) =>
      createSettingsFiles({
        here: async () => ({ root, file: join(root, '.devs', 'state.db') }),
        folder: root,
        env,
        home,
        isTracked: async () => false,
        trusted: () => Promise.reject(new Error('not asked')),
      }).layers();
    return { home, root, layersFor };
  }

  it('count less than those of a project, and what he says of his terminals still holds', async () => {
    const { home, root, layersFor } = createHome();
    writeFileSync(join(home, '.config', 'devs', 'terminals.json'), '{"bell":false,"notifyCommand":["ring"]}');
    writeFileSync(join(home, '.config', 'devs', 'config.yaml'), 'agent: codex\nparallel: 2\n');
    writeFileSync(join(root, '.devs', 'config.yaml'), 'agent: claude\n');
    const read = readSettings(await layersFor({ DEVS_NOTIFY_COMMAND: '["shout"]' }));
    expect(read).toMatchObject({
      kind: 'settings',
      settings: { agent: 'claude', parallel: 2, notices: { bell: false, command: ['shout'] } },
    });
    const sources = read.kind === 'settings' ? read.sources : new Map();
    expect(sources.get('agent')).toMatchObject({ where: join('.devs', 'config.yaml') });
    expect(sources.get('notices.command')).toMatchObject({ where: 'DEVS_NOTIFY_COMMAND' });
  });

  it('need not be there', async () => {
    const { layersFor } = createHome();
    expect(await layersFor({})).toEqual([]);
  });

  it('that cannot be read are told', async () => {
    const { root, layersFor } = createHome();
    mkdirSync(join(root, '.devs', 'config.yaml'));
    await expect(layersFor({})).rejects.toThrow(/cannot read .*config.yaml/);
  });
});

describe('settings that came with a repository', () => {
  function createClone(text: string) {
    const folder = mkdtempSync(join(tmpdir(), 'devs-clone-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, '.devs', 'config.yaml');
    mkdirSync(join(folder, '.devs'));
    writeFileSync(file, text);
    const files = createSettingsFiles({
      here: async () => ({ root: folder, file: join(folder, '.devs', 'state.db') }),
      folder,
      env: {},
      home: join(folder, 'home'),
      isTracked: async () => true,
      trusted: async () => openTrustedFiles(join(folder, 'state', 'trusted.json')),
    });
    return { files, file };
  }

  it('run nothing before the user has agreed, and ask again when they change', async () => {
    const { files, file } = createClone('setup: [[curl, example.org]]\n');
    await expect(files.layers()).rejects.toThrow(/sets setup: it can run programs here.*devs config --trust/);
    expect(await files.trust()).toEqual(['setup']);
    expect(await files.layers()).toHaveLength(1);
    writeFileSync(file, 'setup: [[curl, example.com]]\n');
    await expect(files.layers()).rejects.toThrow('devs config --trust');
  });

  it.each([
    ['model: { baseUrl: "http://example.org" }', 'model.baseUrl'],
    ['permissions: { mode: allow }', 'permissions.mode'],
    ['dialogs: [{ question: Sure, keys: "1" }]', 'dialogs'],
    ['agents: { mine: { command: [sh], prompt: "^> " } }', 'agents.mine'],
    ['renewal: { checkpoints: branch-and-push }', 'renewal.checkpoints'],
  ])('%s needs an agreement', async (text, key) => {
    await expect(createClone(text).files.layers()).rejects.toThrow(`sets ${key}`);
  });

  it('need none for what only tells how to work', async () => {
    expect(await createClone('workflow: bugfix\npressure: { soft: { share: 0.4 } }\n').files.layers()).toHaveLength(1);
  });
});
