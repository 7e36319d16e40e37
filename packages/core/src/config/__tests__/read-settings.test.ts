import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { rounds, seed } from '../../testing/index.js';
import { listSettings } from '../list-settings.js';
import { readSettings } from '../read-settings.js';
import { DEFAULT_SETTINGS, type Settings } from '../settings.js';
import { settingsJsonSchema } from '../settings-json-schema.js';
import { renderSettingsReference } from '../settings-reference.js';
import { terminalPolicyOf } from '../terminal-policy.js';

const AGENTS = ['claude', 'codex', 'builtin'];
const read = (text: string) => readSettings([{ where: 'config.yaml', text }], AGENTS);

function settingsOf(...texts: readonly string[]): Settings {
  const outcome = readSettings(
    texts.map((text, index) => ({ where: `file ${index + 1}`, text })),
    AGENTS,
  );
  if (outcome.kind === 'problems') throw new Error(JSON.stringify(outcome.problems));
  return outcome.settings;
}

function problemsOf(text: string) {
  const outcome = read(text);
  return outcome.kind === 'problems' ? outcome.problems : [];
}

describe('the settings of a text', () => {
  it.each(['', '# nothing yet\n', '{}', '---\n', 'agent:\nbudget: { tokens: , usd: }\n'])(
    'are the defaults where nothing is said: %j',
    (text) => {
      expect(settingsOf(text)).toEqual(DEFAULT_SETTINGS);
    },
  );

  it('match the documented contract of the file, key by key', () => {
    const settings = settingsOf(`
agent: my-agent
workflow: bugfix
worktree: here
copy: [.env]
setup: [[npm, ci]]
checks: [[npm, test], [npm, run, lint]]
parallel: 3
budget: { tokens: 1000, usd: 2.5, minutes: 90, day: { usd: 10 }, price: { input: 3, output: 15 } }
pressure: { soft: { share: 0.4 }, firm: { tokens: 300000 } }
renewal: { enabled: false, ownWords: never, checkpoints: none }
reinjection: { tas: docs/tas.md, builtinTurns: 7 }
contextActions: { deadlineSeconds: 30 }
stuck: { minutes: 0.5, sameAction: 5 }
limits: { park: false }
notices: { bell: false, command: [notify-send, devs] }
dialogs: [{ question: "^Trust\\\\?", keys: "1" }]
observe: true
model: { provider: openai, name: m, baseUrl: "http://127.0.0.1:1/v1", window: 32000 }
permissions: { mode: ask, allow: ["npm test"] }
agents: { my-agent: { command: [tool, --fast], prompt: "^> " } }
`);
    expect(settings).toMatchObject({
      agent: 'my-agent',
      setup: [['npm', 'ci']],
      budget: { tokens: 1000, usd: 2.5, minutes: 90, day: { usd: 10 }, price: { input: 3, output: 15 } },
      pressure: { soft: { share: 0.4, tokens: 250_000 }, firm: { share: 0.65, tokens: 300_000 } },
      renewal: { enabled: false, autoHandoff: true, ownWords: 'never' },
      dialogs: [{ question: '^Trust\\?', keys: '1' }],
      agents: { 'my-agent': { name: 'my-agent', command: ['tool', '--fast'], exit: '/exit' } },
    });
  });

  it('merge mappings, replace lists, and say who said what', () => {
    const layers = [
      { where: 'user', text: 'copy: [.env, a]\nbudget: { usd: 1, minutes: 5, price: { input: 3, output: 15 } }\n' },
      { where: 'project', text: '\nbudget:\n  usd: 2\ncopy: [b]\n' },
      { where: '--set', text: 'renewal: { most: 3 }' },
    ];
    const outcome = readSettings(layers, AGENTS);
    if (outcome.kind === 'problems') throw new Error('there is nothing wrong with it');
    const listed = new Map(listSettings(outcome.settings, outcome.sources).map((one) => [one.key, one]));
    expect(listed.get('copy')).toMatchObject({ value: ['b'], source: { where: 'project', line: 4 } });
    expect(listed.get('budget.usd')).toMatchObject({ value: 2, source: { where: 'project', line: 3, column: 3 } });
    expect(listed.get('budget.minutes')).toMatchObject({ value: 5, source: { where: 'user' } });
    expect(listed.get('renewal.most')).toMatchObject({ value: 3, source: { where: '--set' } });
    expect(listed.get('renewal.enabled')).not.toHaveProperty('source');
    expect(listed.get('model.name')).not.toHaveProperty('value');
  });
});

describe('a budget in US dollars', () => {
  it.each([
    ['agent: opencode\nbudget: { usd: 5 }\n', true],
    ['agent: claude\ntransport: stream\nbudget: { usd: 5 }\n', true],
    ['agent: claude\nbudget: { usd: 5 }\n', false], // with a subscription the cost is unknown
    ['agent: gemini\nbudget: { usd: 5 }\n', false],
  ])('needs no price where the agent says what it costs: %j', (text, isTaken) => {
    expect(readSettings([{ where: 'project', text }], [...AGENTS, 'opencode', 'gemini']).kind === 'settings').toBe(
      isTaken,
    );
  });
});

describe('a mistake in a text', () => {
  const wrong: readonly [text: string, line: number, message: RegExp, hint: RegExp][] = [
    ['agnet: claude\n', 1, /unknown key 'agnet'/, /did you mean 'agent'/],
    ['a: 1\n', 1, /unknown key 'a'/, /known keys: agent/],
    ['renewal:\n  enabld: true\n', 2, /unknown key 'enabld'/, /did you mean 'enabled'/],
    ['parallel: "2"\n', 1, /parallel must be a whole number/, /without quotes/],
    ['parallel: 0\n', 1, /from 1 to 64/, /^$/],
    ['worktree: mine\n', 1, /either 'own' or 'here'/, /^$/],
    ['renewal: { ownWords: allways }\n', 1, /one of/, /did you mean 'always'/],
    ['observe: yes\n', 1, /observe must be true or false/, /write true/],
    ['checks: [npm test]\n', 1, /checks 1 must be a list of a program/, /write \[npm, test\]/],
    ['checks: npm test\n', 1, /checks must be a list/, /^$/],
    ['budget: 5\n', 1, /budget must be a mapping/, /^$/],
    ['budget: { usd: -1 }\n', 1, /above 0/, /^$/],
    ['budget:\n  usd: 5\n', 2, /budget.usd cannot be kept/, /budget.price.input and budget.price.output/],
    ['budget: { price: { input: 3 }, day: { usd: 5 } }\n', 1, /budget.day.usd cannot be kept/, /or limit tokens/],
    ['pressure: { soft: { share: 1.5 } }\n', 1, /pressure.soft.share must be a number above 0 and at most 1/, /^$/],
    ['pressure: { soft: { share: 0.9 } }\n', 1, /must not be above pressure.firm.share/, /^$/],
    ['agent: cluade\n', 1, /agent 'cluade' is not known/, /did you mean 'claude'/],
    ['agents: { claude: { command: [x], prompt: "^>" } }\n', 1, /knows already/, /another name/],
    ['agents: { x: { prompt: "^>" } }\n', 1, /Agent 'x' must have 'command'/, /^$/],
    ['agents: { x: { command: [x], prompt: "(" } }\n', 1, /regular expression/, /^$/],
    ['dialogs: [{ question: "[", keys: "1" }]\n', 1, /regular expression/, /^$/],
    ['terminals: { prefixKey: ctrl-c }\n', 1, /terminals.prefixKey must be ctrl-b, ctrl-\] or the like/, /^$/],
    ['terminals: { prefixKey: b }\n', 1, /prefixKey must be ctrl-b/, /^$/],
    ['agent: a\nagent: b\n', 2, /twice/, /line 1/],
    ['agent: [\n', 2, /Invalid YAML/, /^$/],
    ['- agent\n', 1, /must be a mapping of keys/, /^$/],
    ['a: 1\n---\nb: 2\n', 2, /more than one/, /---/],
  ];
  it.each(wrong)('is reported with its place: %j', (text, line, message, hint) => {
    const [problem] = problemsOf(text);
    expect(problem).toMatchObject({ where: 'config.yaml', line, message: expect.stringMatching(message) });
    expect(problem?.hint ?? '').toMatch(hint);
  });

  it('is reported together with all others', () => {
    expect(problemsOf('agnet: x\nparallel: 0\nobserve: 3\n').map(({ line }) => line)).toEqual([1, 2, 3]);
  });

  it('never throws, for any text', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.jsonValue().map((value) => stringify(value)),
        ),
        (text) => {
          expect(['settings', 'problems']).toContain(read(text).kind);
        },
      ),
      { numRuns: rounds(300), seed: seed() },
    );
  });
});

describe('the schema for editors', () => {
  const fits = new Ajv({ allowUnionTypes: true }).compile(settingsJsonSchema());

  const fileOf = (path: string) => readFileSync(new URL(`../../../../../${path}`, import.meta.url), 'utf8');

  it('equals the published one (`pnpm schemas` writes it)', () => {
    expect(JSON.parse(fileOf('workflows/config.schema.json'))).toEqual(settingsJsonSchema());
  });

  it('describes every key, as the guide does (`pnpm schemas` writes its table)', () => {
    const cells = (table: string) => table.replaceAll(/ +/g, ' ').replaceAll(/-+/g, '-');
    expect(cells(fileOf('docs/guides/configuration.md'))).toContain(cells(renderSettingsReference()));
    expect(listSettings(DEFAULT_SETTINGS, new Map()).filter(({ description }) => description === '')).toEqual([]);
  });

  it.each(['{}', 'agent:\nbudget: { tokens: }', 'checks: [[npm, test]]', 'renewal: { ownWords: never }'])(
    'accepts what the reader accepts: %j',
    (text) => {
      expect([read(text).kind, fits(parse(text))]).toEqual(['settings', true]);
    },
  );
  it.each(['agnet: x', 'parallel: 0', 'checks: [npm]', 'worktree: x', 'budget: { usd: 0 }', 'agents: { x: {} }'])(
    'rejects what the reader rejects: %j',
    (text) => {
      expect([read(text).kind, fits(parse(text))]).toEqual(['problems', false]);
    },
  );
});

describe('the policy of a terminal', () => {
  it('omits everything that is switched off', () => {
    const settings = settingsOf(
      'renewal: { enabled: false }\nreinjection: { enabled: false }\nresume: { enabled: false }\nlimits: { park: false }\nledger: { enabled: false }\n',
    );
    expect(terminalPolicyOf(settings)).toMatchObject({
      renewal: false,
      autoHandoff: false,
      reminders: false,
      mostResumes: 0,
      mostParks: 0,
      ledgerAfterCompaction: false,
    });
  });
});
