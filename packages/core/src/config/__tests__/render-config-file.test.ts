import { describe, expect, it } from 'vitest';
import { readSettings } from '../read-settings.js';
import { renderConfigFile } from '../render-config-file.js';
import { DEFAULT_SETTINGS, SettingsSchema } from '../settings.js';

const read = (text: string) => readSettings([{ where: 'config.yaml', text }], ['claude', 'codex', 'builtin']);

describe('the file that `devs init` writes', () => {
  it('contains only the chosen values', () => {
    expect(read(renderConfigFile({}))).toMatchObject({ kind: 'settings', settings: DEFAULT_SETTINGS });
    const text = renderConfigFile({ agent: 'claude', setup: [['npm', 'ci']], copy: ['.env'] });
    const outcome = read(text);
    expect(outcome).toMatchObject({
      kind: 'settings',
      settings: { ...DEFAULT_SETTINGS, agent: 'claude', setup: [['npm', 'ci']], copy: ['.env'] },
    });
    expect(outcome.kind === 'settings' && [...outcome.sources.keys()]).toEqual(['agent', 'copy', 'setup']);
  });

  it('is right in every part when all its comments are taken away', () => {
    const all = renderConfigFile({})
      .split('\n')
      .filter((line) => /^#\s+\w[\w-]*:/.test(line) && !line.startsWith('# How'))
      .map((line) => line.replace(/^# /, ''))
      .join('\n');
    const outcome = read(all);
    expect(outcome).toMatchObject({ kind: 'settings' });
    const keys = new Set(all.split('\n').map((line) => /^(\w+):/.exec(line)?.[1]));
    expect(Object.keys(SettingsSchema.shape).filter((key) => !keys.has(key))).toEqual([]);
  });
});
