import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings } from '@devs/core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createWorld, ROOT } from '../../__tests__/run-here.js';
import { createSettingsFiles } from '../create-settings-files.js';

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
