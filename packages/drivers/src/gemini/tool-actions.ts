import type { JsonObject, LineRange, ToolAction } from '@devs/core';
import { askedQuestions } from '../reading/asked-questions.js';
import { listIn, numberIn, textIn } from '../reading/json.js';
import { within } from '../reading/within.js';

/** Actions of a call of one of Gemini CLI's own tools. Foreign tools (MCP) have no known actions. */
export function toolActions(tool: string, input: JsonObject, folder: string | undefined): readonly ToolAction[] {
  const text = (name: string) => textIn(input[name]) ?? '';
  const given = text('file_path') || text('absolute_path');
  const path = given === '' ? undefined : within(folder, given);
  switch (tool) {
    case 'run_shell_command':
      return text('command') === '' ? [] : [commandOf(input)];
    case 'read_file': {
      const lines = linesOf(input);
      return path === undefined ? [] : [{ kind: 'read', path, ...(lines === undefined ? {} : { lines }) }];
    }
    case 'read_many_files':
      return listIn(input.include ?? input.paths).flatMap((entry) =>
        typeof entry === 'string' && !/[*?{[]/.test(entry) ? [{ kind: 'read', path: within(folder, entry) }] : [],
      );
    case 'write_file':
      return path === undefined ? [] : [{ kind: 'change', path, how: 'written', after: text('content') }];
    case 'replace':
      return path === undefined
        ? []
        : [{ kind: 'change', path, how: 'edited', before: text('old_string'), after: text('new_string') }];
    case 'grep_search':
    case 'search_file_content':
    case 'glob':
      return text('pattern') === '' ? [] : [searchOf(input, folder)];
    case 'web_fetch':
      return [...`${text('prompt')} ${text('url')}`.matchAll(/https?:\/\/[^\s"'<>)]+/g)].map(([url]) => ({
        kind: 'fetch',
        url,
      }));
    case 'invoke_agent':
      return text('prompt') === '' ? [] : [{ kind: 'delegation', title: text('agent_name'), prompt: text('prompt') }];
    case 'ask_user':
      return askedQuestions(input);
    default:
      return [];
  }
}

function commandOf(input: JsonObject): ToolAction {
  const purpose = textIn(input.description);
  return {
    kind: 'command',
    command: textIn(input.command) ?? '',
    ...(purpose === undefined ? {} : { purpose }),
    ...(input.is_background === true ? { inBackground: true } : {}),
  };
}

function searchOf(input: JsonObject, folder: string | undefined): ToolAction {
  const path = textIn(input.dir_path) ?? textIn(input.path);
  const glob = textIn(input.include_pattern) ?? textIn(input.include);
  return {
    kind: 'search',
    pattern: textIn(input.pattern) ?? '',
    ...(path === undefined ? {} : { path: within(folder, path) }),
    ...(glob === undefined ? {} : { glob }),
  };
}

/** Lines from 1; older versions counted an offset from 0. */
function linesOf(input: JsonObject): LineRange | undefined {
  const offset = numberIn(input.offset);
  const limit = numberIn(input.limit);
  const first = numberIn(input.start_line) ?? (offset === undefined ? undefined : offset + 1);
  const last = numberIn(input.end_line) ?? (limit === undefined ? undefined : (offset ?? 0) + limit);
  if (first === undefined && last === undefined) return undefined;
  return last === undefined ? { first: first ?? 1 } : { first: first ?? 1, last };
}
