import { DEFAULT_SETTINGS } from '@devs/core';
import { describe, expect, it } from 'vitest';
import { readTerminalChoices } from '../terminal-choices.js';

const files = (...texts: readonly string[]) => ({
  read: async () => ({ layers: texts.map((text, at) => ({ where: `file-${at}`, text })) }),
});

describe('what the configuration says about terminals', () => {
  it('is the defaults where there is none', async () => {
    expect(await readTerminalChoices(files())).toEqual({ settings: DEFAULT_SETTINGS, problems: [] });
  });

  it('is what the sound files say where one is broken, and that is told', async () => {
    const { settings, problems } = await readTerminalChoices(files('notices:\n  bell: false\n', 'renewal: 7\n'));
    expect(settings).toEqual({ ...DEFAULT_SETTINGS, notices: { ...DEFAULT_SETTINGS.notices, bell: false } });
    expect(problems).toEqual([expect.stringMatching(/^file-1:1:\d+: /)]);
  });

  it('is the defaults where a file cannot be read, and that is told', async () => {
    const unreadable = { read: () => Promise.reject(new Error('cannot read it')) };
    expect(await readTerminalChoices(unreadable)).toEqual({ settings: DEFAULT_SETTINGS, problems: ['cannot read it'] });
  });
});
