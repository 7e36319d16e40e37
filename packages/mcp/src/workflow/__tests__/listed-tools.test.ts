import { describe, expect, it } from 'vitest';
import { describeTool } from '../../listing/tool-table.js';
import { WORKFLOW_INSTRUCTIONS, workflowTools } from '../workflow-tools.js';

interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
}

const listed = workflowTools.map((tool) => describeTool(tool));
const MOVING = ['workflow_start', 'workflow_status', 'workflow_set_tasks', 'workflow_advance', 'workflow_fail'];

/** All arguments of a tool, those inside of lists and objects too. */
function argumentsOf(schema: Schema, path: string): readonly (readonly [string, Schema])[] {
  const inside = { ...schema.properties, ...schema.items?.properties };
  return Object.entries(inside).flatMap(([name, value]) => [
    [`${path}.${name}`, value] as const,
    ...argumentsOf(value, `${path}.${name}`),
  ]);
}

const everyArgument = listed.flatMap(({ name, inputSchema }) => argumentsOf(inputSchema as Schema, name));

describe('the tools as they are listed', () => {
  it.each(everyArgument)('say what %s is for', (_, { description }) => {
    expect(description).toMatch(/\w/);
  });

  it.each(everyArgument)('say how much %s may hold', (_, schema) => {
    if (schema.type === 'string' && schema.enum === undefined) expect(schema.maxLength).toBeGreaterThan(0);
    if (schema.type === 'integer') expect([typeof schema.minimum, typeof schema.maximum]).toEqual(['number', 'number']);
    if (schema.type === 'array') {
      expect(schema.maxItems).toBeGreaterThan(0);
      if (schema.items?.type === 'string') expect(schema.items.maxLength).toBeGreaterThan(0);
    }
  });

  it('have one shape of answer where they move the workflow, with every field explained', () => {
    const [first, ...others] = listed
      .filter(({ name }) => MOVING.includes(name))
      .map(({ outputSchema }) => outputSchema);
    expect(others).toHaveLength(MOVING.length - 1);
    for (const other of others) expect(other).toEqual(first);
    for (const { description } of Object.values((first as Schema).properties ?? {})) expect(description).toMatch(/\w/);
  });

  it('do not tell an agent to start a workflow that its supervisor has started', () => {
    const start = listed.find(({ name }) => name === 'workflow_start')?.description;
    expect(WORKFLOW_INSTRUCTIONS).toContain('1. Call workflow_status.');
    expect(`${WORKFLOW_INSTRUCTIONS}\n${start}`).not.toMatch(/start once|once at the beginning/);
  });
});
