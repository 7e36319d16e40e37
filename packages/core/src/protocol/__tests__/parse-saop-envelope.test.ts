import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rounds, seed } from '../../testing/rounds.js';
import { validEnvelope } from '../../testing/valid-envelope.js';
import { describeProblem, parseSaopEnvelope } from '../parse-saop-envelope.js';

const ENVELOPE = validEnvelope();
const RUNS = { seed: seed(), numRuns: rounds(100) };

describe('a valid envelope', () => {
  it('[TAS-035] is taken from text and from a value alike', () => {
    expect(parseSaopEnvelope(JSON.stringify(ENVELOPE))).toEqual({ valid: true, envelope: ENVELOPE });
    expect(parseSaopEnvelope(ENVELOPE)).toEqual({ valid: true, envelope: ENVELOPE });
  });

  it.each([
    { kind: 'a list as the plan', changes: { thought: { reasoning: '', plan: ['read', 'write'] } } },
    { kind: 'an uncertainty', changes: { thought: { reasoning: 'r', plan: 'p', uncertainty: 0.4 } } },
    { kind: 'uncertainties in words', changes: { thought: { reasoning: 'r', plan: 'p', uncertainty: ['the path'] } } },
    { kind: 'no arguments', changes: { action: { tool_name: 'stop', arguments: {} } } },
    { kind: 'an observation', changes: { observation: { status: 'ok', output: null } } },
    { kind: 'turn 0', changes: { turn_index: 0 } },
  ])('[TAS-035] may have $kind', ({ changes }) => {
    const envelope = validEnvelope(changes);

    expect(parseSaopEnvelope(JSON.stringify(envelope))).toEqual({ valid: true, envelope });
  });

  it('keeps every argument as it was written, also one named __proto__', () => {
    const written = '{"__proto__":{"admin":true},"constructor":1,"path":"a"}';
    const text = JSON.stringify(validEnvelope({ action: { tool_name: 'run', arguments: {} } })).replace('{}', written);

    const parsed = parseSaopEnvelope(text);

    if (!parsed.valid) throw new Error('expected an envelope');
    expect(JSON.stringify(parsed.envelope)).toBe(text);
    expect(({} as Record<string, unknown>)['admin']).toBeUndefined();
    expect(Object.getPrototypeOf(parsed.envelope.action.arguments)).toBe(Object.prototype);
  });
});

describe('a wrong field', () => {
  const { thought, action } = ENVELOPE;
  it.each([
    {
      value: { ...ENVELOPE, schema_version: undefined },
      problem: 'schema_version: expected string, received undefined',
    },
    {
      value: { ...ENVELOPE, schema_version: '' },
      problem: 'schema_version: Too small: expected string to have >=1 characters',
    },
    { value: { ...ENVELOPE, turn_index: '1' }, problem: 'turn_index: expected number, received string' },
    { value: { ...ENVELOPE, turn_index: 1.5 }, problem: 'turn_index: expected int, received number' },
    { value: { ...ENVELOPE, turn_index: -1 }, problem: 'turn_index: Too small: expected number to be >=0' },
    { value: { ...ENVELOPE, agent_id: null }, problem: 'agent_id: expected string, received null' },
    { value: { ...ENVELOPE, phase: 3 }, problem: 'phase: expected string, received number' },
    { value: { ...ENVELOPE, thought: 'hm' }, problem: 'thought: expected object, received string' },
    {
      value: { ...ENVELOPE, thought: { ...thought, reasoning: 7 } },
      problem: 'thought.reasoning: expected string, received number',
    },
    {
      value: { ...ENVELOPE, thought: { ...thought, plan: 7 } },
      problem: 'thought.plan: expected a string or an array of strings',
    },
    {
      value: { ...ENVELOPE, thought: { ...thought, plan: ['a', 7] } },
      problem: 'thought.plan: expected a string or an array of strings',
    },
    {
      value: { ...ENVELOPE, thought: { ...thought, uncertainty: {} } },
      problem: 'thought.uncertainty: expected a number, a string or an array of strings',
    },
    { value: { ...ENVELOPE, thought: { ...thought, mood: 'good' } }, problem: 'thought: unknown field mood' },
    {
      value: { ...ENVELOPE, action: { ...action, tool_name: '' } },
      problem: 'action.tool_name: Too small: expected string to have >=1 characters',
    },
    {
      value: { ...ENVELOPE, action: { ...action, arguments: [] } },
      problem: 'action.arguments: expected record, received array',
    },
    {
      value: { ...ENVELOPE, action: { ...action, arguments: '{}' } },
      problem: 'action.arguments: expected record, received string',
    },
    {
      value: { ...ENVELOPE, observation: { output: 1 } },
      problem: 'observation.status: expected string, received undefined',
    },
    { value: { ...ENVELOPE, extra: 1 }, problem: 'unknown field extra' },
    { value: { ...ENVELOPE, one: 1, two: 2 }, problem: 'unknown fields one, two' },
    { value: [ENVELOPE], problem: 'expected object, received array' },
    { value: null, problem: 'expected object, received null' },
  ])('[TAS-035] is named by its path: $problem', ({ value, problem }) => {
    const fromText = problemsOf(JSON.stringify(value));
    const fromValue = problemsOf(value);

    expect(fromText).toEqual([problem]);
    expect(fromValue).toEqual([problem]);
  });

  it('[TAS-035] does not hide another: all problems are given', () => {
    expect(problemsOf({ ...ENVELOPE, phase: 1, action: { tool_name: 2, arguments: 3 }, extra: 4 })).toEqual([
      'phase: expected string, received number',
      'action.tool_name: expected string, received number',
      'action.arguments: expected record, received number',
      'unknown field extra',
    ]);
  });

  it('is also a __proto__ beside the fields', () => {
    expect(problemsOf(JSON.stringify(ENVELOPE).replace('{', '{"__proto__":{"phase":"x"},'))).toEqual([
      'unknown field __proto__',
    ]);
  });
});

describe('text that holds no envelope', () => {
  it.each([
    { text: '', problem: 'the answer is empty' },
    { text: ' \n', problem: 'the answer is empty' },
    { text: 'Sure, I will.', problem: 'the answer holds no JSON object' },
    { text: '{\n  "a": nope\n}', problem: 'not valid JSON at line 2, column 9' },
    { text: '{"a":1,}', problem: 'not valid JSON at line 1, column 8' },
    { text: '{"a":\n[1', problem: 'the JSON ends unfinished at line 2, column 3' },
    { text: '{}\nDone.', problem: 'text follows the JSON at line 1, column 3' },
    { text: '{"a":{"b":1,"\\u0062":2}}', problem: 'the key "b" stands twice in one object' },
    { text: '"text"', problem: 'expected object, received string' },
  ])('is described without a path: $problem', ({ text, problem }) => {
    expect(parseSaopEnvelope(text)).toEqual({ valid: false, problems: [{ path: '', message: problem }] });
  });

  it('never appears in full in its error', () => {
    const secret = 'the whole text '.repeat(1_000);
    for (const text of [secret, `{"a": ${secret}}`, `{"a":"${secret}`, `{"a":"${secret}"} and so on`]) {
      expect(problemsOf(text).join('').length).toBeLessThan(100);
    }
  });

  it.each([
    { kind: 'an unknown field', text: JSON.stringify({ ...ENVELOPE, ['k'.repeat(10_000)]: 1 }) },
    { kind: 'a key that stands twice', text: `{"${'k'.repeat(10_000)}":1,"${'k'.repeat(10_000)}":2}` },
  ])('is described in short where $kind has a very long name', ({ text }) => {
    expect(problemsOf(text)).toEqual([expect.stringMatching(/k{200}… \(10000 characters\)/)]);
    expect(problemsOf(text).join('').length).toBeLessThan(300);
  });

  it('may be nested as deep as it likes', () => {
    const deep = 100_000;

    expect(problemsOf('['.repeat(deep) + ']'.repeat(deep))).toEqual(['expected object, received array']);
  });
});

describe('any input', () => {
  const describes = (parsed: ReturnType<typeof parseSaopEnvelope>) =>
    parsed.valid || (parsed.problems.length > 0 && parsed.problems.map(describeProblem).every((text) => text !== ''));

  it('[TAS-035] gives an envelope or problems for every JSON value, and never throws', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => describes(parseSaopEnvelope(value))),
      RUNS,
    );
    fc.assert(
      fc.property(fc.json(), (text) => describes(parseSaopEnvelope(text))),
      RUNS,
    );
  });

  it('[TAS-035] gives an envelope or problems for every text, and never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => describes(parseSaopEnvelope(text))),
      RUNS,
    );
  });

  it('[TAS-035] is never an envelope when one field of it is another JSON value of the wrong kind', () => {
    const fields = fc.constantFrom('schema_version', 'agent_id', 'phase', 'thought', 'action', 'observation');
    const wrong = fc.jsonValue().filter((value) => typeof value !== 'string');

    fc.assert(
      fc.property(fields, wrong, (field, value) => !parseSaopEnvelope({ ...ENVELOPE, [field]: value }).valid),
      RUNS,
    );
  });

  it('keeps any arguments exactly', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (args) => {
        const text = JSON.stringify(validEnvelope({ action: { tool_name: 'run', arguments: args } }));
        const parsed = parseSaopEnvelope(text);
        expect(parsed.valid && JSON.stringify(parsed.envelope)).toBe(text);
      }),
      RUNS,
    );
  });
});

function problemsOf(input: unknown): string[] {
  const parsed = parseSaopEnvelope(input);
  return parsed.valid ? [] : parsed.problems.map(describeProblem);
}
