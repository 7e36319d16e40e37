import { readdirSync, readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { WorkflowValidationError } from '../../errors/workflow-validation-error.js';
import { loadWorkflowTemplateFromString } from '../loader.js';
import { workflowTemplateJsonSchema } from '../template/template-schema.js';

const FOLDER = new URL('../../../../../workflows/', import.meta.url);
const fitsSchema = new Ajv().compile(workflowTemplateJsonSchema());

const DO = { id: 'do', type: 'action', instructions: 'Do it' };
const EACH = { id: 'each', type: 'loop' };
const SUB = { id: 'sub', instructions: 'Do it' };
const withSteps = (...steps: readonly unknown[]) => ({ name: 't', description: 't', steps });
const withStep = (changes: object) => withSteps({ ...DO, ...changes });
const withSub = (changes: object) => ({ ...withSteps(EACH), loops: { each: [{ ...SUB, ...changes }] } });
const withAgent = (agent: unknown) => ({ ...withStep({}), agents: { a: agent } });

const good: Readonly<Record<string, unknown>> = {
  'one step': withStep({}),
  'empty sections': { ...withStep({}), agents: {}, loops: {} },
  'a loop': withSub({}),
  'a loop under another name': { ...withSteps({ ...EACH, id: 'x', loop: 'each' }), loops: { each: [SUB] } },
  'a ralph step': withStep({ type: 'ralph', n: 1_000 }),
  'an agent': { ...withStep({ agent: 'a' }), agents: { a: { description: 'x', tools: [], cannot: ['push'] } } },
  'every optional key': withStep({ artefacts: false, on_fail: 'retry', retries: 100, context: 'clear' }),
  'every optional key of a sub-step': withSub({ on_fail: 'retry', retries: 1, context: 'compact' }),
  'an id of other letters': withStep({ id: 'Ärger.ステップ-1_' }),
};

const bad: Readonly<Record<string, unknown>> = {
  'no mapping': [withStep({})],
  'no name': { description: 't', steps: [DO] },
  'no description': { name: 't', steps: [DO] },
  'no steps': { name: 't', description: 't' },
  'an empty list of steps': withSteps(),
  'a blank name': { ...withStep({}), name: ' ' },
  'a number as name': { ...withStep({}), name: 5 },
  'an unknown key': { ...withStep({}), version: 1 },
  'a step that is no mapping': withSteps('do'),
  'a step without id': withSteps({ type: 'action', instructions: 'x' }),
  'a step without type': withSteps({ id: 'x', instructions: 'x' }),
  'an unknown type': withStep({ type: 'wait' }),
  'an unknown key of a step': withStep({ contxt: 'clear' }),
  'an action without instructions': withSteps({ id: 'x', type: 'action' }),
  'a ralph without instructions': withSteps({ id: 'x', type: 'ralph', n: 1 }),
  'a ralph without n': withStep({ type: 'ralph' }),
  'an action with n': withStep({ n: 1 }),
  'an action with a loop': { ...withStep({ loop: 'each' }), loops: { each: [SUB] } },
  'a loop with n': { ...withSteps({ ...EACH, n: 2 }), loops: { each: [SUB] } },
  'a loop with instructions': { ...withSteps({ ...EACH, instructions: 'x' }), loops: { each: [SUB] } },
  'n of 0': withStep({ type: 'ralph', n: 0 }),
  'n of 1001': withStep({ type: 'ralph', n: 1_001 }),
  'n of 1.5': withStep({ type: 'ralph', n: 1.5 }),
  'n as text': withStep({ type: 'ralph', n: '3' }),
  'an id with a space': withStep({ id: 'a b' }),
  'an empty id': withStep({ id: '' }),
  'an id of 101 characters': withStep({ id: 'x'.repeat(101) }),
  'a reserved id': withStep({ id: 'constructor' }),
  'a context that there is not': withStep({ context: 'invalid' }),
  'a context that is null': withStep({ context: null }),
  'a text as flag': withStep({ artefacts: 'yes' }),
  'an on_fail that there is not': withStep({ on_fail: 'ignore' }),
  'retries without on_fail': withStep({ retries: 2 }),
  'retries with another on_fail': withStep({ on_fail: 'skip', retries: 2 }),
  'retries of 0': withStep({ on_fail: 'retry', retries: 0 }),
  'a sub-step without instructions': { ...withSteps(EACH), loops: { each: [{ id: 'x' }] } },
  'a sub-step with a type': withSub({ type: 'action' }),
  'a sub-step with an odd context': withSub({ context: 'both' }),
  'a loop without sub-steps': { ...withSteps(EACH), loops: { each: [] } },
  'a loop that is no list': { ...withSteps(EACH), loops: { each: SUB } },
  'a reserved loop name': { ...withSteps(EACH), loops: { prototype: [SUB] } },
  'an agent without description': withAgent({}),
  'an agent that is text': withAgent('codes'),
  'tools that are text': withAgent({ description: 'x', tools: 'Read' }),
  'a tool that is a number': withAgent({ description: 'x', tools: [5] }),
  'an agent with an unknown key': withAgent({ description: 'x', can: [] }),
};

/** What only the loader can see. */
const beyondSchema: Readonly<Record<string, unknown>> = {
  'a step id twice': withSteps(DO, DO),
  'an agent that is not there': withStep({ agent: 'ghost' }),
  'a loop that is not there': withSteps(EACH),
  'a loop that nobody uses': { ...withStep({}), loops: { each: [SUB] } },
  'retries of a sub-step that is not tried again': withSub({ retries: 2 }),
};

describe('the JSON Schema of templates', () => {
  it('equals the published one (`pnpm schemas` writes it)', () => {
    expect(JSON.parse(readFileSync(new URL('schema.json', FOLDER), 'utf8'))).toEqual(workflowTemplateJsonSchema());
  });

  it('describes every key, for editors', () => {
    const undescribed: string[] = [];
    const visit = (schema: unknown, path: string) => {
      if (typeof schema !== 'object' || schema === null || path.endsWith('.allOf')) return;
      for (const [key, part] of Object.entries(schema)) {
        if (path.endsWith('.properties') && !Object.hasOwn(part, 'description')) undescribed.push(`${path}.${key}`);
        visit(part, `${path}.${key}`);
      }
    };
    visit(workflowTemplateJsonSchema(), '$');
    expect(undescribed).toEqual([]);
  });

  it.each(readdirSync(FOLDER).filter((file) => file.endsWith('.yaml')))('accepts %s', (file) => {
    fitsSchema(parse(readFileSync(new URL(file, FOLDER), 'utf8')));
    expect(fitsSchema.errors).toBe(null);
  });

  it.each(Object.entries(good))('accepts, as the loader does, %s', (_, template) => {
    expect([fitsSchema(template), loads(template)]).toEqual([true, true]);
  });

  it.each(Object.entries(bad))('refuses, as the loader does, %s', (_, template) => {
    expect([fitsSchema(template), loads(template)]).toEqual([false, false]);
  });

  it.each(Object.entries(beyondSchema))('leaves it to the loader to refuse %s', (_, template) => {
    expect([fitsSchema(template), loads(template)]).toEqual([true, false]);
  });
});

function loads(template: unknown): boolean {
  try {
    loadWorkflowTemplateFromString(stringify(template, { aliasDuplicateObjects: false }));
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(WorkflowValidationError);
    return false;
  }
}
