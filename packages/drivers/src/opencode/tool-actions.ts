import type { JsonObject, LineRange, ToolAction } from '@devs/core';
import { askedQuestions } from '../reading/asked-questions.js';
import { listIn, numberIn, objectIn, textIn } from '../reading/json.js';
import { within } from '../reading/within.js';

/** Actions of a call of one of opencode's own tools. Foreign tools (MCP) have no known actions. */
export function toolActions(tool: string, input: JsonObject, folder: string | undefined): readonly ToolAction[] {
  const text = (name: string) => textIn(input[name]) ?? '';
  const path = text('filePath') === '' ? undefined : within(folder, text('filePath'));
  switch (tool) {
    case 'bash':
      return text('command') === '' ? [] : [commandOf(input)];
    case 'read': {
      const lines = linesOf(input);
      return path === undefined ? [] : [{ kind: 'read', path, ...(lines === undefined ? {} : { lines }) }];
    }
    case 'write':
      return path === undefined ? [] : [{ kind: 'change', path, how: 'written', after: text('content') }];
    case 'edit':
      return path === undefined ? [] : [editOf(path, input)];
    case 'multiedit':
      return path === undefined ? [] : listIn(input.edits).map((edit) => editOf(path, objectIn(edit) ?? {}));
    case 'grep':
    case 'glob':
      return text('pattern') === '' ? [] : [searchOf(input, folder)];
    case 'webfetch':
      return text('url') === '' ? [] : [{ kind: 'fetch', url: text('url') }];
    case 'task':
      return text('prompt') === '' ? [] : [{ kind: 'delegation', title: text('description'), prompt: text('prompt') }];
    case 'question':
      return askedQuestions(input);
    default:
      return [];
  }
}

function commandOf(input: JsonObject): ToolAction {
  const purpose = textIn(input.description);
  return { kind: 'command', command: textIn(input.command) ?? '', ...(purpose === undefined ? {} : { purpose }) };
}

const editOf = (path: string, edit: JsonObject): ToolAction => ({
  kind: 'change',
  path,
  how: 'edited',
  before: textIn(edit.oldString) ?? '',
  after: textIn(edit.newString) ?? '',
});

function searchOf(input: JsonObject, folder: string | undefined): ToolAction {
  const path = textIn(input.path);
  const glob = textIn(input.include);
  return {
    kind: 'search',
    pattern: textIn(input.pattern) ?? '',
    ...(path === undefined ? {} : { path: within(folder, path) }),
    ...(glob === undefined ? {} : { glob }),
  };
}

function linesOf(input: JsonObject): LineRange | undefined {
  const offset = numberIn(input.offset);
  const limit = numberIn(input.limit);
  if (offset === undefined && limit === undefined) return undefined;
  const first = Math.max(1, offset ?? 1);
  return limit === undefined ? { first } : { first, last: first + limit - 1 };
}
