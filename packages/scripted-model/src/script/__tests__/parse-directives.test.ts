import { rounds, seed } from '@devs/core/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDirectives } from '../parse-directives.js';

const fuzz = (runs: number) => ({ numRuns: rounds(runs), seed: seed() });
const steps = (prompt: string) => {
  const parsed = parseDirectives(prompt);
  if (parsed.kind === 'mistake') throw new Error(parsed.message);
  return parsed.steps;
};
const tool = (name: string, input = '{}') => ({ kind: 'call', calls: [{ kind: 'tool', name, input }] });

describe('a directive', () => {
  it.each([
    ['@model say "Hi."', [{ kind: 'say', text: 'Hi.' }]],
    ['@model say Hi there, all  ', [{ kind: 'say', text: 'Hi there, all' }]],
    ['@model say "two\\nlines"', [{ kind: 'say', text: 'two\nlines' }]],
    ['@model say "two\nlines, as typed"', [{ kind: 'say', text: 'two\nlines, as typed' }]],
    ['@model think "Hm."', [{ kind: 'think', text: 'Hm.' }]],
    ['@model run "ls -la | wc"', [{ kind: 'call', calls: [{ kind: 'run', command: 'ls -la | wc' }] }]],
    ['@model tool Bash {"command":"ls"}', [tool('Bash', '{"command":"ls"}')]],
    ['@model tool get_goal', [tool('get_goal')]],
    ['@model tool apply_patch "*** Begin\\nx"', [tool('apply_patch', '*** Begin\nx')]],
    ['@model tool A {"a":"}\\"{",\n "b":[1,{}]}', [tool('A', '{"a":"}\\"{",\n "b":[1,{}]}')]],
    [
      '@model usage input=120k output=300 cached=1_000',
      [{ kind: 'usage', usage: { input: 120_000, output: 300, cached: 1_000 } }],
    ],
    ['@model delay 200ms', [{ kind: 'delay', ms: 200 }]],
    ['@model pace 2s', [{ kind: 'pace', ms: 2_000 }]],
    ['@model cut 40', [{ kind: 'cut', after: 40 }]],
    ['@model drop', [{ kind: 'drop', after: 0 }]],
    ['@model drop 10 times=1', [{ kind: 'drop', after: 10, times: 1 }]],
    ['@model hang 5', [{ kind: 'hang', after: 5 }]],
    ['@model overflow', [{ kind: 'overflow', times: 1 }]],
    ['@model error 529', [{ kind: 'error', error: { status: 529, headers: {} } }]],
    [
      '@model error 429 message="Slow down" retry-after=30 times=2 after=7 header.x-should-retry=false',
      [
        {
          kind: 'error',
          after: 7,
          times: 2,
          error: { status: 429, message: 'Slow down', headers: { 'retry-after': '30', 'x-should-retry': 'false' } },
        },
      ],
    ],
    ['@model repeat 3 say "x"', [{ kind: 'repeat', times: 3, steps: [{ kind: 'say', text: 'x' }] }]],
  ])('%j is read', (prompt, expected) => {
    expect(steps(prompt)).toEqual(expected);
  });

  it('may appear within other text, several on a line', () => {
    expect(steps('Fix it.\n@model tool A {} @model say done @model cut 2\nThanks.\n@model think b')).toEqual([
      tool('A'),
      { kind: 'say', text: 'done' },
      { kind: 'cut', after: 2 },
      { kind: 'think', text: 'b' },
    ]);
  });

  it('joins a call to the previous one', () => {
    expect(steps('@model tool A {}\n@model and run "ls"')).toEqual([
      {
        kind: 'call',
        calls: [
          { kind: 'tool', name: 'A', input: '{}' },
          { kind: 'run', command: 'ls' },
        ],
      },
    ]);
  });

  it('is read from a prompt that opencode has put in quotes', () => {
    expect(steps('"Look.\n@model tool A {\\"b\\":1}\n@model say \\"c d\\""')).toEqual([
      tool('A', '{"b":1}'),
      { kind: 'say', text: 'c d' },
    ]);
  });

  it.each(['say @model say x', ' @model say x', '> @model say x', '@models say x', '@model', ''])(
    'does not appear in %j',
    (prompt) => {
      expect(steps(prompt)).toEqual([]);
    },
  );
});

describe('a mistake', () => {
  it.each([
    ['a\n@model toll x', 2, "there is no directive 'toll'"],
    ['@model constructor', 1, "there is no directive 'constructor'"],
    ['@model say "x', 1, 'a closing quote is missing'],
    ['@model say "x" y', 1, "nothing may follow 'say' here: y"],
    ['@model tool A {"a":', 1, 'a closing bracket is missing'],
    ['@model tool A {a}', 1, 'the input of A is not JSON'],
    ['@model tool', 1, 'tool.name'],
    ['@model usage input', 1, "'input' needs a value"],
    ['@model usage input=lots', 1, "'lots' is not a whole number"],
    ['@model usage inptu=1', 1, 'inptu'],
    ['@model delay soon', 1, 'must be a time such as 200ms'],
    ['@model delay 2h', 1, 'must be a time such as 200ms'],
    ['@model error 200', 1, 'error.status'],
    ['@model error', 1, 'is not a whole number'],
    ['@model and tool A {}', 1, "'and' joins a tool"],
    ['@model repeat 0 say x', 1, 'times'],
    ['@model repeat 2 nothing', 1, "there is no directive 'nothing'"],
  ])('in %j is reported with its line', (prompt, line, message) => {
    expect(parseDirectives(prompt)).toEqual({ kind: 'mistake', line, message: expect.stringContaining(message) });
  });
});

describe('any text', () => {
  const PARTS = [
    '@model ',
    'say ',
    'tool ',
    'A ',
    '"',
    '{',
    '}',
    '\\',
    '\n',
    'usage ',
    'input=',
    '1',
    'repeat ',
    'and ',
    'error ',
    'x',
  ];

  it('is a script or a mistake, and never an exception', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...PARTS), { maxLength: 40 }), (parts) => {
        const { kind } = parseDirectives(parts.join(''));
        return kind === 'script' || kind === 'mistake';
      }),
      fuzz(2_000),
    );
  });

  it('that is said in quotes is said as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(steps(`@model say ${JSON.stringify(text)}`)).toEqual([{ kind: 'say', text }]);
      }),
      fuzz(500),
    );
  });

  it('that is the input of a tool arrives as the same JSON', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (input) => {
        const written = JSON.stringify(input);
        expect(steps(`@model tool T ${written}\n@model say after`)).toEqual([
          tool('T', written),
          { kind: 'say', text: 'after' },
        ]);
      }),
      fuzz(500),
    );
  });
});
