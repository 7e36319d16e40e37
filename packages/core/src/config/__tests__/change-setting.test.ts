import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rounds, seed } from '../../testing/index.js';
import { changeSetting } from '../change-setting.js';
import { listSettings } from '../list-settings.js';
import { readSettings } from '../read-settings.js';
import { renderConfigFile } from '../render-config-file.js';
import { SAFE_SETTINGS } from '../safe-settings.js';

const changed = (text: string, key: string, value?: string | number | boolean | readonly string[]) => {
  const outcome = changeSetting(text, { key, value });
  return outcome.kind === 'changed' ? outcome.text : outcome.problems;
};

const settingsOf = (text: string) => {
  const read = readSettings([{ where: 'config.yaml', text }], ['claude']);
  if (read.kind === 'problems') throw new Error(JSON.stringify(read.problems));
  return read;
};

describe('one setting in a file', () => {
  it.each([
    ['', 'parallel', 2, 'parallel: 2\n'],
    ['# why\n', 'renewal.most', 3, '# why\nrenewal:\n  most: 3\n'],
    ['# a\nrenewal:\n  # b\n  most: 3 # c\n', 'renewal.most', 5, '# a\nrenewal:\n  # b\n  most: 5 # c\n'],
    ['renewal:\n', 'renewal.most', 5, 'renewal:\n  most: 5\n'],
    ['budget: { day: { usd: 5 } } # d\n', 'budget.tokens', 9, 'budget: {day: {usd: 5}, tokens: 9} # d\n'],
    ['agent: claude # mine\nparallel: 2\n', 'parallel', undefined, 'agent: claude # mine\n'],
    ['pressure:\n  soft:\n    share: 0.4\nagent: claude\n', 'pressure.soft.share', undefined, 'agent: claude\n'],
    ['agent: claude\n', 'copy', ['.env', 'a b'], 'agent: claude\ncopy: [.env, a b]\n'],
    ['agent: claude\n', 'parallel', undefined, 'agent: claude\n'],
  ])('of %j is changed: %s', (text, key, value, expected) => {
    expect(changed(text, key, value)).toBe(expected);
  });

  it('is changed in the file of `devs init` without any other line', () => {
    const text = renderConfigFile({ agent: 'claude', setup: [['npm', 'ci']] });
    const lines = String(changed(text, 'agent', 'codex')).split('\n');
    expect(lines).toEqual(text.split('\n').map((line) => (line === 'agent: claude' ? 'agent: codex' : line)));
  });

  it.each([
    ['parallel: 1\n', 'parallel', 65, /parallel must be a whole number from 1 to 64, got: 65/],
    ['parallel: 1\n', 'paralel', 2, /unknown key 'paralel'/],
    ['agnet: x\n', 'parallel', 2, /unknown key 'agnet'/],
    ['budget: &b { tokens: 5, day: *b2 }\n', 'parallel', 2, /Nothing before this alias/],
    ['budget: { day: &d { usd: 1 } }\nagents: *d\n', 'parallel', 2, /./],
  ])('of %j that cannot be changed (%s to %s) is refused', (text, key, value, message) => {
    expect(changed(text, key, value)).toMatchObject([{ message: expect.stringMatching(message) }]);
  });

  it('is refused where the change would change another one too', () => {
    const text = 'pressure: { soft: &m { share: 0.4, tokens: 100 }, firm: *m }\n';
    for (const key of ['pressure.soft.tokens', 'pressure.firm.tokens'])
      expect(changed(text, key, 90)).toMatchObject([{ hint: 'change it with an editor' }]);
  });

  it('changes only itself, in a file of any content', () => {
    const values = fc.record(
      {
        parallel: fc.integer({ min: 1, max: 64 }),
        'budget.tokens': fc.integer({ min: 1, max: 9_999 }),
        'budget.day.minutes': fc.integer({ min: 1, max: 9_999 }),
        'stuck.enabled': fc.boolean(),
        'renewal.ownWords': fc.constantFrom('always', 'never'),
        copy: fc.array(fc.constantFrom('.env', 'a b', '# no', "it's"), { maxLength: 3 }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(values, (wanted) => {
        let text = renderConfigFile({});
        for (const [key, value] of Object.entries(wanted)) text = String(changed(text, key, value));
        const { settings, sources } = settingsOf(text);
        expect([...sources.keys()].filter((key) => key in wanted).sort()).toEqual(Object.keys(wanted).sort());
        const listed = new Map(listSettings(settings, sources).map(({ key, value }) => [key, value]));
        for (const [key, value] of Object.entries(wanted)) expect(listed.get(key)).toEqual(value);
        for (const key of Object.keys(wanted)) text = String(changed(text, key));
        expect([...settingsOf(text).sources]).toEqual([]);
      }),
      { numRuns: rounds(50), seed: seed() },
    );
  });
});

describe('the settings that the page may change', () => {
  it('all exist, and none of them starts a program', () => {
    const { settings, sources } = settingsOf('');
    const keys = listSettings(settings, sources).map(({ key }) => key);
    expect(SAFE_SETTINGS.filter((key) => !keys.includes(key))).toEqual([]);
    expect(
      SAFE_SETTINGS.filter((key) => /command|setup|checks|agent|dialogs|sandbox|permissions|model/.test(key)),
    ).toEqual([]);
  });
});
