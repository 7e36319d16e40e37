import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readHookSettings } from '../hook-settings.js';

function settings(file: string | undefined, env: Readonly<Record<string, string>> = {}) {
  const root = mkdtempSync(join(tmpdir(), 'devs-hook-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, '.devs'));
  if (file !== undefined) writeFileSync(join(root, '.devs', 'hooks.json'), file);
  const problems: string[] = [];
  return { settings: readHookSettings(root, env, (problem) => problems.push(problem)), problems };
}

describe('the settings of hooks', () => {
  it('switch everything on where nothing is said', () => {
    expect(settings(undefined)).toEqual({
      settings: {
        enabled: true,
        compact: true,
        open: true,
        reminder: true,
        budgetChars: 9_900,
        openChars: 1_300,
        reminderTurns: 20,
        specs: {},
      },
      problems: [],
    });
  });

  it('come from the file, and from the environment over it', () => {
    const file =
      '{ "compact": false, "reminder": "off", "reminderTurns": 7, "specs": { "prd": "a.md", "tas": "b.md" } }';
    const env = { DEVS_HOOK: 'off', DEVS_HOOK_COMPACT: 'on', DEVS_HOOK_BUDGET_CHARS: '5000', DEVS_HOOK_TAS: 'c.md' };

    expect(settings(file, env).settings).toMatchObject({
      enabled: false,
      compact: true,
      reminder: false,
      budgetChars: 5_000,
      reminderTurns: 7,
      specs: { prd: { file: 'a.md', isFromUser: false }, tas: { file: 'c.md', isFromUser: true } },
    });
  });

  it.each([
    ['{ "open": "perhaps" }', 'open is neither on nor off'],
    ['{ "budgetChars": 3 }', 'budgetChars is not a whole number of 1000 or more'],
    ['{ "reminderTurns": "often" }', 'reminderTurns is not a whole number of 1 or more'],
    ['[1]', 'hooks.json is not a JSON object and was left out of account'],
    ['{ "open": ', 'hooks.json is not a JSON object and was left out of account'],
  ])('%j counts as not said, and is reported', (file, problem) => {
    const read = settings(file);

    expect(read.settings).toEqual(settings(undefined).settings);
    expect(read.problems).toEqual([expect.stringContaining(problem)]);
  });

  it('of a project make what an agent is shown shorter, and never longer', () => {
    const file = '{ "budgetChars": 9000000, "openChars": 600 }';
    expect(settings(file).settings).toMatchObject({ budgetChars: 9_900, openChars: 600 });
    expect(settings(file, { DEVS_HOOK_BUDGET_CHARS: '20000' }).settings.budgetChars).toBe(20_000);
  });

  it('[S8] are not read through a link that never ends', () => {
    const root = mkdtempSync(join(tmpdir(), 'devs-hook-'));
    onTestFinished(() => rmSync(root, { recursive: true }));
    mkdirSync(join(root, '.devs'));
    symlinkSync('/dev/zero', join(root, '.devs', 'hooks.json'));
    const problems: string[] = [];
    expect(readHookSettings(root, {}, (problem) => problems.push(problem))).toEqual(settings(undefined).settings);
    expect(problems).toEqual([expect.stringContaining('hooks.json is ignored: it leads out of the project')]);
  });
});
