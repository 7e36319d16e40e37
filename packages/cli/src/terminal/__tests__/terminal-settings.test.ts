import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readTerminalSettings, settingsFile } from '../terminal-settings.js';

function settingsOf(text: string | undefined, env: Record<string, string> = {}) {
  const home = mkdtempSync(join(tmpdir(), 'devs-settings-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const file = settingsFile({ env, home });
  if (text !== undefined) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return readTerminalSettings({ env, home });
}

describe('the settings of terminals', () => {
  it('are these where nothing is said', () => {
    expect(settingsOf(undefined)).toEqual({
      prefix: { code: 0x5d, label: 'Ctrl-]' },
      title: true,
      bell: true,
      notifyCommand: [],
      problems: [],
    });
  });

  it('come from the file, and from the environment over it', () => {
    const file = '{"prefixKey":"ctrl-b","title":false,"bell":false,"notifyCommand":["say","x y"]}';
    expect(settingsOf(file)).toMatchObject({
      prefix: { label: 'Ctrl-B' },
      title: false,
      bell: false,
      notifyCommand: ['say', 'x y'],
    });
    expect(settingsOf(file, { DEVS_PREFIX_KEY: 'none', DEVS_NOTIFY_COMMAND: '["a","b"]' })).toMatchObject({
      prefix: undefined,
      notifyCommand: ['a', 'b'],
    });
    expect(settingsOf(file, { DEVS_NOTIFY_COMMAND: '/opt/notify' }).notifyCommand).toEqual(['/opt/notify']);
  });

  it.each([
    ['not json', {}],
    ['[]', {}],
    ['{"prefixKey":"ctrl-c"}', {}],
    ['{"title":"yes"}', {}],
    ['{"notifyCommand":"notify-send devs; rm -rf x"}', {}],
    ['{}', { DEVS_NOTIFY_COMMAND: '["a", 1]' }],
    ['{}', { DEVS_PREFIX_KEY: 'b' }],
  ])('that say %s with %j are told, and do not count', (text, env) => {
    const { problems, ...settings } = settingsOf(text, env);
    expect(problems).toHaveLength(1);
    expect(settings).toEqual({ prefix: { code: 0x5d, label: 'Ctrl-]' }, title: true, bell: true, notifyCommand: [] });
  });
});
