import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { rounds, seed } from '../../testing/index.js';
import { privilegedKeys } from '../privileged-settings.js';
import { readSettings } from '../read-settings.js';

const user = (text: string) => [{ where: 'user', text }];

describe("a file without the user's agreement", () => {
  it.each([
    ['agent: builtin', 'agent'],
    ['worktree: here', 'worktree'],
    ['copy: [secrets.txt]', 'copy'],
    ['setup: [[curl, example.org]]', 'setup'],
    ['checks: [[npm, test]]', 'checks'],
    ['parallel: 64', 'parallel'],
    ['budget: { price: { input: 0.001, output: 0.001 } }', 'budget.price.input,budget.price.output'],
    ['pressure: { firm: { share: 0.99 } }', 'pressure.firm.share'],
    ['renewal: { checkpoints: branch-and-push }', 'renewal.checkpoints'],
    ['stuck: { enabled: false }', 'stuck.enabled'],
    ['stuck: { minutes: 500 }', 'stuck.minutes'],
    ['notices: { command: [sh] }', 'notices.command'],
    ['dialogs: [{ question: Sure, keys: "1" }]', 'dialogs'],
    ['model: { baseUrl: "http://example.org", name: m }', 'model.baseUrl,model.name'],
    ['permissions: { allow: [sh] }', 'permissions.allow'],
    ['agents: { mine: { command: [sh], prompt: "^> " } }', 'agents.mine'],
  ])('[S8] does not get %s', (text, keys) => {
    expect(privilegedKeys(text, []).join()).toBe(keys);
  });

  it.each([
    'workflow: bugfix',
    'worktree: own',
    'budget: { tokens: 1000, day: { minutes: 10 } }',
    'pressure: { soft: { share: 0.4 } }',
    'stuck: { enabled: true, minutes: 5 }',
    'permissions: { mode: ask }',
    'observe: true',
    'reinjection: { tas: docs/tas.md, turns: 5 }',
    'agent: auto\nsetup: []\nmodel: {}\nagents: {}\nchecks:\n',
  ])('may say %j', (text) => {
    expect(privilegedKeys(text, [])).toEqual([]);
  });

  it('moves a limit of the user downwards only', () => {
    const below = user('budget: { tokens: 500 }\nparallel: 4\npermissions: { mode: deny }');
    expect(privilegedKeys('budget: { tokens: 400 }\nparallel: 4', below)).toEqual([]);
    expect(privilegedKeys('budget: { tokens: 501 }\nparallel: 5\npermissions: { mode: ask }', below)).toEqual([
      'budget.tokens',
      'parallel',
      'permissions.mode',
    ]);
  });

  it('is seen through also where it makes sense only together with other files', () => {
    const below = user('budget: { price: { input: 1, output: 1 } }');
    const text = 'budget: { usd: 5 }\nsetup: [[sh]]';
    expect(readSettings([{ where: 'project', text }], []).kind).toBe('problems');
    expect(readSettings([...below, { where: 'project', text }], []).kind).toBe('settings');
    expect(privilegedKeys(text, below)).toEqual(['setup']);
  });

  it('cannot hide a command behind aliases', () => {
    expect(privilegedKeys('copy: &c [.env, .env.local]\nsetup: [*c]\n', [])).toEqual(['setup']);
  });

  it('starts no program, however its harmless keys are mixed', () => {
    const budget = fc.record({ tokens: fc.integer({ min: 1, max: 1_000_000 }) }, { requiredKeys: [] });
    const file = fc.record(
      {
        workflow: fc.constant('bugfix'),
        budget,
        parallel: fc.integer({ min: 1, max: 64 }),
        setup: fc.array(fc.array(fc.constantFrom('sh', 'curl'), { minLength: 1 }), { maxLength: 2 }),
        permissions: fc.record({ mode: fc.constantFrom('ask', 'allow', 'deny') }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(file, (values) => {
        const found = readSettings([{ where: 'project', text: stringify(values) }], []);
        if (found.kind !== 'settings' || privilegedKeys(stringify(values), []).length > 0) return;
        expect(found.settings).toMatchObject({ setup: [], parallel: 1, agents: {}, dialogs: [] });
      }),
      { numRuns: rounds(100), seed: seed() },
    );
  });
});

describe('the scripted model', () => {
  it.each(['model: { provider: scripted }', 'model: { scenario: a.yaml }'])('[S8] is refused in a file: %s', (text) => {
    const read = readSettings([{ where: '.devs/config.yaml', text }], []);
    expect(read).toMatchObject({
      problems: [
        {
          where: '.devs/config.yaml',
          line: 1,
          message: expect.stringContaining('counts only as a flag'),
          hint: 'type --provider scripted --scenario FILE',
        },
      ],
    });
  });

  it('counts as a flag', () => {
    const text = 'model: { provider: scripted, scenario: a.yaml }';
    expect(readSettings([{ where: '--provider', text }], [])).toMatchObject({
      settings: { model: { provider: 'scripted' } },
    });
  });
});
