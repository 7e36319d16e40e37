import type { JsonObject, ToolAction } from '@devs/core';
import { listIn, numberIn, textIn } from '../reading/json.js';
import { within } from '../reading/within.js';

/** Actions of a call of one of the agent's own tools. Tools of MCP servers have no known actions. */
export function builtinActions(tool: string, input: JsonObject, folder: string | undefined): readonly ToolAction[] {
  const text = (name: string) => textIn(input[name]);
  const path = text('path') === undefined ? undefined : within(folder, text('path') ?? '');
  switch (tool) {
    case 'read_file':
      return path === undefined ? [] : [{ kind: 'read', path, ...linesOf(input) }];
    case 'write_file':
      return path === undefined ? [] : [{ kind: 'change', path, how: 'written', after: text('content') ?? '' }];
    case 'edit_file': {
      const [before, after] = [text('old') ?? '', text('new') ?? ''];
      return path === undefined ? [] : [{ kind: 'change', path, how: 'edited', before, after }];
    }
    case 'search_files':
      return [{ kind: 'search', pattern: text('pattern') ?? '', ...(path === undefined ? {} : { path }) }];
    case 'run_command':
      return [{ kind: 'command', command: commandLine(input) }];
    default:
      return [];
  }
}

/** For people and for comparing; it is never given to a shell. */
const commandLine = (input: JsonObject) =>
  listIn(input.command)
    .map((word) => (/^[\w@%+=:,./-]+$/.test(String(word)) ? String(word) : JSON.stringify(String(word))))
    .join(' ');

function linesOf(input: JsonObject): { readonly lines?: { readonly first: number; readonly last?: number } } {
  const [first, last] = [numberIn(input.from), numberIn(input.to)];
  if (first === undefined && last === undefined) return {};
  return { lines: { first: first ?? 1, ...(last === undefined ? {} : { last }) } };
}
