import { expect, it } from 'vitest';
import { z } from 'zod';
import { defineTool } from '../define-tool.js';
import { createToolTable } from '../listing/tool-table.js';
import type { ObjectSchema } from '../tool.js';

const tool = (name: string, output: ObjectSchema = z.object({})) =>
  defineTool({
    name,
    title: name,
    description: name,
    annotations: {},
    input: z.object({ limit: z.int().min(1).max(9).default(3).describe('How many') }),
    output,
    run: () => ({}),
  });

it('lists an argument with a default as optional', () => {
  expect(createToolTable([tool('a')]).list()[0]?.inputSchema).toEqual({
    type: 'object',
    properties: { limit: { type: 'integer', minimum: 1, maximum: 9, default: 3, description: 'How many' } },
  });
});

it('lists a union of objects as an object with branches', () => {
  const union = z.discriminatedUnion('kind', [z.object({ kind: z.literal('a') }), z.object({ kind: z.literal('b') })]);
  const branch = (kind: string) => ({
    type: 'object',
    properties: { kind: { type: 'string', const: kind } },
    required: ['kind'],
    additionalProperties: false,
  });
  expect(createToolTable([tool('a', union)]).list()[0]?.outputSchema).toEqual({
    type: 'object',
    oneOf: [branch('a'), branch('b')],
  });
});

it('refuses two tools with one name', () => {
  expect(() => createToolTable([tool('a'), tool('b'), tool('a')])).toThrow('two tools have one name: a, b, a');
});

it('refuses to list an answer that is not an object', () => {
  const list = z.array(z.string()) as unknown as ObjectSchema;
  expect(() => createToolTable([tool('a', list)]).list()).toThrow('the output of a tool must be an object, not array');
});
