import { StoreInputError } from '@devs/core';
import { describe, expect, it } from 'vitest';
import { objection, parseTaskFile, runImport } from '../../task-import.js';
import type { Draft } from '../parse-json-tasks.js';
import { type PlannedTask, planImport } from '../plan-import.js';

const drafts = (...tasks: Draft['task'][]): Draft[] => tasks.map((task, index) => ({ line: index + 1, task }));

describe('a file of tasks', () => {
  it('may be a JSON array over any number of lines', () => {
    const text =
      '\ufeff[\n  {"intent": "one, [\\"a\\"]",\n   "depends_on": ["x"]},\n\n  {"id": "b", "intent": "two"}]\n';

    expect(parseTaskFile(text)).toEqual({
      drafts: [
        { line: 2, task: { intent: 'one, ["a"]', depends_on: ['x'] } },
        { line: 5, task: { id: 'b', intent: 'two' } },
      ],
      problems: [],
      checkedOff: 0,
    });
  });

  it('may have an object on each line', () => {
    expect(parseTaskFile('{"intent": "one"}\r\n\r\n{"intent": "two", "priority": 3}').drafts).toEqual([
      { line: 1, task: { intent: 'one' } },
      { line: 3, task: { intent: 'two', priority: 3 } },
    ]);
  });

  it('may be a check list among other text', () => {
    const text = [
      '# Plan [ ] no',
      '- [ ] one',
      '* [x] was done',
      '  1. [ ]  two `code`  ',
      '- three',
      '```',
      '- [ ] example',
      '```',
      '+ [X] done',
    ];

    expect(parseTaskFile(text.join('\n'))).toEqual({
      drafts: [
        { line: 2, task: { intent: 'one' } },
        { line: 4, task: { intent: 'two `code`' } },
      ],
      problems: [],
      checkedOff: 2,
    });
  });

  it.each([
    ['[]', []],
    ['', []],
    ['[{"intent": "a"},\n{"intent" "b"}]', [[2, 'malformed']]],
    ['[{"intent": "a"},\n{"intent": "b"', [[2, 'ends too early']]],
    ['[{"intent": "a"}]\nmore', [[1, 'more text behind']]],
    [
      '[{"intent": "a"},\n7,\n{}]',
      [
        [2, 'it is no object'],
        [3, 'it needs an intent'],
      ],
    ],
    [
      '{"intent": "a"}\n{"intent": }\n{"title": "b"}',
      [
        [2, 'it is no JSON'],
        [3, 'unknown field title; there are id, intent'],
      ],
    ],
    ['[{"intent": 5}]', [[1, 'it needs an intent']]],
    ['[{"intent": "a", "id": 5}]', [[1, 'id must be a text']]],
    ['[{"intent": "a", "priority": "high"}]', [[1, 'priority must be a number']]],
    ['[{"intent": "a", "depends_on": "b"}]', [[1, 'depends_on must be a list of ids']]],
    ['[{"intent": "a", "description": []}]', [[1, 'description must be a text']]],
  ] as [string, [number, string][]][])('is checked, with the line: %j', (text, expected) => {
    const { problems } = parseTaskFile(text);

    expect(problems.map(({ line }) => line)).toEqual(expected.map(([line]) => line));
    for (const [index, [, problem]] of expected.entries()) expect(problems[index]?.problem).toContain(problem);
  });
});

describe('the plan of an import', () => {
  const plan = (tasks: readonly Draft[], known: readonly string[] = [], existing: 'refuse' | 'skip' = 'refuse') =>
    planImport(tasks, { known: async (ids) => new Set(ids.filter((id) => known.includes(id))), objection, existing });
  const idsOf = (batches: readonly (readonly PlannedTask[])[]) =>
    batches.map((batch) => batch.map(({ task }) => task.id));

  it('orders by dependency, and gives ids that are free', async () => {
    const result = await plan(
      drafts(
        { id: 'c', intent: 'c', depends_on: ['b', 'old'] },
        { id: 'b', intent: 'b' },
        { intent: 'b' },
        { intent: 'B!' },
      ),
      ['old', 'b-2'],
    );

    expect(result.ok && idsOf(result.batches)).toEqual([['b', 'c', 'b-3', 'b-4']]);
  });

  it('cuts more than 1,000 into batches, in chains of any length', async () => {
    const chain = Array.from({ length: 2_500 }, (_, index) => ({
      id: `t${index}`,
      intent: 'x',
      ...(index < 2_499 && { depends_on: [`t${index + 1}`] }),
    }));
    const result = await plan(drafts(...chain));

    expect(result.ok && result.batches.map((batch) => batch.length)).toEqual([1_000, 1_000, 500]);
    expect(result.ok && result.batches[0]?.[0]?.task.id).toBe('t2499');
  });

  it.each<[string, Draft[], [number, string][]]>([
    ['a bad id', drafts({ intent: 'a' }, { id: 'a/b', intent: 'b' }), [[2, 'task id: letters']]],
    ['a bad intent', drafts({ intent: 'two\nlines' }), [[1, 'intent: one line']]],
    ['an id twice', drafts({ id: 'a', intent: 'a' }, { id: 'a', intent: 'b' }), [[2, 'is on line 1 already']]],
    ['one that exists', drafts({ id: 'old', intent: 'a' }), [[1, 'there is a task old already; --skip-existing']]],
    [
      'an unknown dependency',
      drafts({ intent: 'a', depends_on: ['no/where'] }),
      [[1, 'no/where, which does not exist']],
    ],
    ['itself', drafts({ id: 'a', intent: 'a', depends_on: ['a'] }), [[1, 'a circle: a → a']]],
    [
      'a circle',
      drafts({ id: 'a', intent: 'a', depends_on: ['b'] }, { id: 'b', intent: 'b', depends_on: ['a'] }),
      [[1, 'a circle: a → b → a']],
    ],
  ])('refuses %s, with the line', async (_what, tasks, expected) => {
    const result = await plan(tasks, ['old']);

    expect(result.ok).toBe(false);
    const problems = result.ok ? [] : result.problems;
    expect(problems.map(({ line }) => line)).toEqual(expected.map(([line]) => line));
    for (const [index, [, problem]] of expected.entries()) expect(problems[index]?.problem).toContain(problem);
  });

  it('leaves out what exists when it is asked to, also where ids were made', async () => {
    const tasks = drafts({ intent: 'one' }, { intent: 'one' }, { intent: 'two' });
    const result = await plan(tasks, ['one', 'one-2'], 'skip');

    expect(result).toMatchObject({ ok: true, skipped: ['one', 'one-2'] });
    expect(result.ok && idsOf(result.batches)).toEqual([['two']]);
  });
});

describe('an import', () => {
  const batches = ['a', 'b', 'c'].map((id) => [{ line: 1, task: { id, intent: id } }]);

  it('stops between two batches when it is interrupted', async () => {
    const stop = new AbortController();
    const tasks = {
      add: async () => {
        stop.abort();
        return [];
      },
    };

    expect(await runImport(batches, { tasks, signal: stop.signal })).toEqual({ ids: ['a'], stopped: 'interrupted' });
  });

  it('says how far it came when the store refuses the rest', async () => {
    const refusal = new StoreInputError('task id', 'one that is not taken');
    let calls = 0;
    const tasks = {
      add: async () => {
        if (++calls === 3) throw refusal;
        return [];
      },
    };

    expect(await runImport(batches, { tasks, signal: new AbortController().signal })).toEqual({
      ids: ['a', 'b'],
      stopped: refusal,
    });
  });
});
