import { rounds, seed } from '@devs/core/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseScenario } from '../parse-scenario.js';
import { ScenarioError } from '../scenario-error.js';

const problems = (text: string) => {
  try {
    parseScenario(text);
  } catch (error) {
    if (error instanceof ScenarioError) return error.problems;
    throw error;
  }
  return [];
};

describe('a scenario', () => {
  it('is read from YAML with all its defaults', () => {
    expect(parseScenario('rules:\n  - when: { prompt: fix }\n    reply: On it.\n')).toEqual({
      scale: 1,
      default: [{ kind: 'say', text: 'Done.' }],
      rules: [
        {
          when: { purpose: 'turn', prompt: ['fix'], system: [], conversation: [] },
          reply: [{ kind: 'say', text: 'On it.' }],
        },
      ],
    });
  });

  it('is read from JSON', () => {
    const text = JSON.stringify({ window: 5, rules: [{ reply: [{ tools: [{ name: 'A', input: { b: 1 } }] }] }] });
    expect(parseScenario(text)).toMatchObject({
      window: 5,
      rules: [{ reply: [{ kind: 'call', calls: [{ name: 'A', input: '{"b":1}' }] }] }],
    });
  });

  it('knows every step', () => {
    const { rules } = parseScenario(`
rules:
  - when: { call: { from: 2, every: 3 }, toolResult: Bash, matches: "^a+$" }
    times: 2
    reply:
      - say: a
      - json: { b: [1, "c"] }
      - think: b
      - usage: { input: 1 }
      - delay: 1s
      - pace: 20
      - cut: 3
      - error: 500
      - error: { status: 429, retryAfter: 2, headers: { x-a: b }, times: 1 }
      - overflow: true
      - drop: 4
      - hang: true
      - run: ls
`);
    expect(rules[0]?.when).toMatchObject({
      call: { from: 2, every: 3, to: Number.MAX_SAFE_INTEGER },
      toolResult: { name: 'Bash' },
    });
    expect(rules[0]?.reply.map(({ kind }) => kind)).toEqual([
      ...['say', 'say', 'think', 'usage', 'delay', 'pace', 'cut', 'error', 'error', 'overflow', 'drop', 'hang', 'call'],
    ]);
    expect(rules[0]?.reply[1]).toEqual({ kind: 'say', text: '{"b":[1,"c"]}' });
  });

  it('may be empty', () => {
    expect(parseScenario('# nothing yet\n').rules).toEqual([]);
  });
});

describe('a problem', () => {
  it.each([
    ['rules:\n  - reply: a\n    whn: {}\n', 3, 5, "rules[0] has an unknown key 'whn'"],
    ['rules:\n  - reply:\n      - sya: a\n', 3, 9, "rules[0].reply[0] has an unknown key 'sya'"],
    ['rules:\n  - reply:\n      - say: a\n        run: b\n', 3, 9, 'rules[0].reply[0] must have one key of say'],
    ['rules:\n  - reply:\n      - say: 5\n', 3, 14, 'rules[0].reply[0].say must be a string'],
    ['rules:\n  - when: { matches: "(" }\n    reply: a\n', 2, 22, 'is not a regular expression'],
    ['rules:\n  - when: { purpose: sing }\n    reply: a\n', 2, 22, 'turn'],
    ['rules:\n  - when: {}\n', 2, 5, "rules[0] must have 'reply'"],
    ['rules:\n  - reply: a\n\twindow: 3\n', 3, 1, 'Tabs'],
    ['window: 0\n', 1, 9, 'window'],
    ['[]\n', 1, 1, 'The scenario must be a mapping'],
    ['a: 1\n---\nb: 1\n', 2, 1, 'more than one YAML document'],
    ['rules:\n  - when: { call: 2 }\n    reply:\n      - run: a\n      - say: b\n', 4, 7, 'answers one request'],
    [`${'['.repeat(500)}\n`, 1, 65, 'nested more than 64 levels'],
  ])('in %j is reported with its place', (text, line, column, message) => {
    expect(problems(text)[0]).toMatchObject({ line, column, message: expect.stringContaining(message) });
  });

  it('is reported together with all others', () => {
    expect(problems('rules:\n  - reply: 5\n  - reply: a\n    x: 1\n  - reply: [{ cut: -1 }]\n')).toHaveLength(3);
  });

  it('is all that any text can cause', () => {
    const PARTS = [
      'rules:',
      '\n',
      '  ',
      '- ',
      'reply: ',
      'say: ',
      'when: ',
      '{',
      '}',
      '[',
      ']',
      '&a ',
      '*a',
      '"',
      'x',
      ': ',
      '5',
      '|',
      '#',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...PARTS), { maxLength: 60 }), (parts) => {
        expect(problems(parts.join('')).every(({ line, column }) => line >= 1 && column >= 1)).toBe(true);
      }),
      { numRuns: rounds(1_000), seed: seed() },
    );
  });
});
