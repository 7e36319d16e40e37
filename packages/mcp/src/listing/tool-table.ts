import type { Tool as ListedTool } from '@modelcontextprotocol/server';
import { toJSONSchema, type z } from 'zod';
import type { Tool } from '../tool.js';

/** The tool as `tools/list` shows it. Pure; throws where a schema has no JSON Schema, which is a bug of the tool. */
export function describeTool(tool: Tool<never>): ListedTool {
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    annotations: { ...tool.annotations },
    inputSchema: jsonSchemaOf(tool.input, 'input'),
    outputSchema: jsonSchemaOf(tool.output, 'output'),
    _meta: ALWAYS_LOADED,
  };
}

/**
 * Claude Code hides the tools of MCP servers behind a tool search otherwise. A model that does not search ends its turns without
 * ever finishing a step (measured). Other clients ignore it.
 */
const ALWAYS_LOADED = { 'anthropic/alwaysLoad': true } as const;

/**
 * `type: object` is set beside the branches of a union: MCP up to 2025-11-25 requires it at the root, and it is
 * harmless, as every branch is an object. No `$schema`: MCP assumes 2020-12, and not every validator knows its name.
 */
function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output') {
  const { $schema: _, '~standard': __, type = 'object', ...rest } = toJSONSchema(schema, { io });
  if (type !== 'object') throw new Error(`the ${io} of a tool must be an object, not ${type}`);
  return { type, ...rest } as ListedTool['inputSchema'];
}

export interface ToolTable<Context> {
  find(name: string): Tool<Context> | undefined;
  describeMissing(name: string): string;
  list(): ListedTool[];
}

/** Throws when two tools have one name. */
export function createToolTable<Context>(tools: readonly Tool<Context>[]): ToolTable<Context> {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  if (byName.size < tools.length)
    throw new Error(`two tools have one name: ${tools.map(({ name }) => name).join(', ')}`);
  // Made when first asked for: a client that only calls does not wait for it.
  let listed: ListedTool[] | undefined;
  return {
    find: (name) => byName.get(name),
    describeMissing: (name) =>
      `there is no tool ${JSON.stringify(name)}; the tools are: ${[...byName.keys()].join(', ')}`,
    list() {
      listed ??= tools.map(describeTool);
      return listed;
    },
  };
}
