import { expect, it } from 'vitest';
import { z } from 'zod';
import { parseArguments } from '../arguments/parse-arguments.js';

const input = z.strictObject({
  output: z.string().default(''),
  kind: z.enum(['loop', 'ralph']).optional(),
  only: z.literal('all').optional(),
  count: z.int().min(1).optional(),
  tasks: z.array(z.strictObject({ id: z.string() })).optional(),
  summary: z.string({ error: 'summary must be about ten words' }).optional(),
});

it.each([
  { given: { output: 7 }, says: 'output must be a string' },
  { given: { output: null }, says: 'output must be a string' },
  { given: { kind: 'x' }, says: 'kind must be one of "loop", "ralph"' },
  { given: { only: 'x' }, says: 'only must be "all"' },
  { given: { count: 0 }, says: 'count: Too small: expected number to be >=1' },
  { given: { tasks: {} }, says: 'tasks must be an array' },
  { given: { tasks: [{ id: 'a' }, {}] }, says: 'tasks[1].id must be a string' },
  { given: { tasks: [{ id: 'a', x: 1 }] }, says: 'unknown argument "x"; not part of tasks[0]' },
  { given: { summary: 7 }, says: 'summary must be about ten words' },
  { given: { a: 1, b: 2 }, says: 'unknown arguments "a", "b"; allowed: output, kind, only, count, tasks, summary' },
  { given: { output: 7, count: 'x' }, says: 'output must be a string; count must be a number' },
  { given: 'text', says: 'arguments must be an object' },
])('says "$says"', ({ given, says }) => {
  expect(() => parseArguments(input, given)).toThrow(
    expect.objectContaining({ message: says, code: 'INVALID_ARGUMENTS', cause: expect.anything() }),
  );
});

it('gives defaults, also where no arguments are sent', () => {
  expect(parseArguments(input, undefined)).toEqual({ output: '' });
});

it('says that there are no arguments where a tool takes none', () => {
  expect(() => parseArguments(z.strictObject({}), { x: 1 })).toThrow('unknown argument "x"; there are none');
});
