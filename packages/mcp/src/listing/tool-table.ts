import type { Tool as ListedTool } from '@modelcontextprotocol/server';
import type { Tool } from '../tool.js';
import { describeTool } from './describe-tool.js';

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
