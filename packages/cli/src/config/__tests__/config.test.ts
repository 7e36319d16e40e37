import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings } from '@devs/core';
import { STARTABLE_AGENTS } from '@devs/drivers/agents';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createWorld, ROOT } from '../../__tests__/run-here.js';
import { readTerminalChoices } from '../../terminal/choices/terminal-choices.js';
import { createMemoryAgreements } from '../../trust/__tests__/memory-agreements.js';
import { createSettingsFiles } from '../create-settings-files.js';
import { loadSettings } from '../load-settings.js';

describe('devs config', () => {
  it('shows every value with where it comes from', async () => {
    const { done, json, files } = createWorld();
    files.set(`${ROOT}/.devs/config.yaml`, 'agent: claude\nrenewal:\n  most: 3\n');
    const shown = await done('config');
    expect(shown).toMatch(/^agent +claude +\.devs\/config\.yaml:1$/m);
    expect(shown).toMatch(/^renewal\.most +3 +\.devs\/config\.yaml:3$/m);
    expect(shown).toMatch(/^workflow +feature +default$/m);
    expect(shown).toMatch(/^model\.name +- +not set$/m);
    expect((await done('config', 'renewal')).trimEnd().split('\n')).toHaveLength(6);
    expect((await json('config', 'agent')).settings).toMatchObject([{ key: 'agent', value: 'claude' }]);
  });

  it('names the mistake and its place', async () => {
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
    const agreements = createMemoryAgreements();
    const readFor = (env: Record<string, string>) =>
      createSettingsFiles({
        here: async () => ({ root, file: join(root, '.devs', 'state.db') }),
        folder: root,
        env,
        home,
        agreements,
      }).read();
    return { home, root, readFor };
  }

  it("count less than those of a project, and the user's terminal settings still hold", async () => {
    const { home, root, readFor } = createHome();
    writeFileSync(join(home, '.config', 'devs', 'terminals.json'), '{"bell":false,"notifyCommand":["ring"]}');
    writeFileSync(join(home, '.config', 'devs', 'config.yaml'), 'agent: codex\nparallel: 2\n');
    writeFileSync(join(root, '.devs', 'config.yaml'), 'workflow: bugfix\n');
    const read = readSettings((await readFor({ DEVS_NOTIFY_COMMAND: '["shout"]' })).layers, STARTABLE_AGENTS);
    expect(read).toMatchObject({
      kind: 'settings',
      settings: { agent: 'codex', workflow: 'bugfix', parallel: 2, notices: { bell: false, command: ['shout'] } },
    });
    const sources = read.kind === 'settings' ? read.sources : new Map();
    expect(sources.get('workflow')).toMatchObject({ where: join('.devs', 'config.yaml') });
    expect(sources.get('notices.command')).toMatchObject({ where: 'DEVS_NOTIFY_COMMAND' });
  });

  it('need not be there', async () => {
    const { readFor } = createHome();
    expect(await readFor({})).toEqual({ layers: [], notes: [] });
  });

  it('of earlier versions are read, with a line that says how to move them', async () => {
    const { home, readFor } = createHome();
    const folder = join(home, '.config', 'devs');
    const old = '{"prefixKey":"ctrl-b","title":false,"notifyCommand":"ring","other":1}';
    writeFileSync(join(folder, 'terminals.json'), old);
    writeFileSync(join(folder, 'config.yaml'), 'terminals: { title: true }\n');
    const { layers, notes } = await readFor({ DEVS_PREFIX_KEY: 'none' });
    expect(readSettings(layers, STARTABLE_AGENTS)).toMatchObject({
      settings: { terminals: { prefixKey: 'none', title: true }, notices: { command: ['ring'] } },
    });
    expect(notes).toEqual([
      `${join(folder, 'terminals.json')} is read for the last time: move its keys to ${join(folder, 'config.yaml')} (prefixKey is terminals.prefixKey, title is terminals.title, bell is notices.bell, notifyCommand is notices.command) and delete it`,
    ]);
    writeFileSync(join(folder, 'terminals.json'), '[1]');
    expect((await readFor({})).notes?.[1]).toContain('terminals.json is not a JSON object and is ignored');
  });

  it.each([
    [{ DEVS_PREFIX_KEY: 'ctrl-c' }, 'terminals.prefixKey must be ctrl-b, ctrl-] or the like'],
    [{ DEVS_NOTIFY_COMMAND: 'notify-send devs; rm -rf x' }, 'notices.command must be a list of a program'],
    [{ DEVS_NOTIFY_COMMAND: '["a", 1]' }, 'notices.command 2 must be a string'],
  ])('are told from the environment: %j', async (env, message) => {
    const read = readSettings((await createHome().readFor(env)).layers, STARTABLE_AGENTS);
    expect(read).toMatchObject({
      problems: [{ where: Object.keys(env)[0], message: expect.stringContaining(message) }],
    });
  });

  it('that cannot be read are reported', async () => {
    const { root, readFor } = createHome();
    mkdirSync(join(root, '.devs', 'config.yaml'));
    await expect(readFor({})).rejects.toThrow(/cannot read .*config.yaml/);
  });
});

describe('settings of a project', () => {
  function createClone(text: string, answer: 'yes' | 'no' | 'cannot-ask' = 'cannot-ask') {
    const folder = mkdtempSync(join(tmpdir(), 'devs-clone-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const file = join(folder, '.devs', 'config.yaml');
    mkdirSync(join(folder, '.devs'));
    writeFileSync(file, text);
    const agreements = createMemoryAgreements();
    const settingsFiles = createSettingsFiles({
      here: async () => ({ root: folder, file: join(folder, '.devs', 'state.db') }),
      folder,
      env: {},
      home: join(folder, 'home'),
      agreements,
    });
    const questions: string[] = [];
    const confirm = async (question: string) => {
      questions.push(question);
      return answer;
    };
    const load = async () => (await loadSettings({ settingsFiles, agreements, confirm })).settings;
    return { load, settingsFiles, file, questions };
  }

  it('[S9] run nothing before the user agrees, tracked by git or not', async () => {
    const { load } = createClone('setup: [[curl, example.org]]\n');
    await expect(load()).rejects.toThrow(
      '.devs/config.yaml is new to you and sets setup. It counts only with your agreement. Look at it, then agree with `devs config --trust`.',
    );
  });

  it('are shown as a diff and asked about once, and again after each change', async () => {
    const { load, file, questions } = createClone('checks: [[npm, test]]\n', 'yes');
    expect((await load()).checks).toEqual([['npm', 'test']]);
    await load();
    expect(questions).toHaveLength(1);
    writeFileSync(file, 'checks: [[npm, run, ci]]\n');
    expect((await load()).checks).toEqual([['npm', 'run', 'ci']]);
    expect(questions).toHaveLength(2);
    expect(questions[1]).toContain('has changed since you agreed to it and sets checks:');
    expect(questions[1]).toContain('  -checks: [[npm, test]]\n  +checks: [[npm, run, ci]]');
    writeFileSync(file, 'checks: [[npm, test]]\n');
    await load();
    expect(questions).toHaveLength(2);
  });

  it('do nothing where the user does not agree', async () => {
    const { load } = createClone('checks: [[npm, test]]\n', 'no');
    await expect(load()).rejects.toThrow('you did not agree, so nothing was done');
    await expect(load()).rejects.toThrow('you did not agree');
  });

  it('hide nothing behind escape codes in the question', async () => {
    const { load, questions } = createClone('checks: [[npm, test]] # \u001b[2K\u202e\n', 'yes');
    await load();
    expect(questions[0]).toContain('␛[2K');
    expect(questions[0]).not.toContain('\u202e');
  });

  it('need no agreement for what only says how to work', async () => {
    const { settingsFiles } = createClone('workflow: bugfix\npressure: { soft: { share: 0.4 } }\n');
    expect(await settingsFiles.read()).toMatchObject({ layers: { length: 1 } });
  });

  it('count without the file of the project if the user cannot be asked to agree', async () => {
    const { settingsFiles } = createClone('agent: codex\n');
    const { settings, problems } = await readTerminalChoices(settingsFiles);
    expect(settings.agent).toBe('auto');
    expect(problems).toEqual([expect.stringContaining('is new to you and sets agent: ignored')]);
  });
});
