import type { JsonObject, LineRange, ToolAction } from '@devs/core';
import { listIn, numberIn, objectIn, textIn } from '../reading/json.js';

/** Actions of a call of one of Claude Code's own tools. Foreign tools (MCP) have no known actions. */
export function toolActions(tool: string, input: JsonObject): readonly ToolAction[] {
  return ACTIONS[tool]?.(input).filter(isComplete) ?? [];
}

type Reading = (input: JsonObject) => readonly ToolAction[];

const text = (value: unknown) => textIn(value) ?? '';

const ACTIONS: Readonly<Record<string, Reading>> = {
  Bash: (input) => [
    {
      kind: 'command',
      command: text(input.command),
      ...(textIn(input.description) === undefined ? {} : { purpose: text(input.description) }),
      ...(input.run_in_background === true ? { inBackground: true } : {}),
    },
  ],
  Read: (input) => {
    const lines = linesOf(input);
    return [{ kind: 'read', path: text(input.file_path), ...(lines === undefined ? {} : { lines }) }];
  },
  NotebookRead: (input) => [{ kind: 'read', path: text(input.notebook_path) }],
  Write: (input) => [{ kind: 'change', path: text(input.file_path), how: 'written', after: text(input.content) }],
  Edit: (input) => [editOf(text(input.file_path), input)],
  MultiEdit: (input) => listIn(input.edits).map((edit) => editOf(text(input.file_path), objectIn(edit) ?? {})),
  NotebookEdit: (input) => [
    { kind: 'change', path: text(input.notebook_path), how: 'edited', after: text(input.new_source) },
  ],
  Grep: (input) => [
    {
      kind: 'search',
      pattern: text(input.pattern),
      ...(textIn(input.path) === undefined ? {} : { path: text(input.path) }),
      ...(textIn(input.glob) === undefined ? {} : { glob: text(input.glob) }),
    },
  ],
  Glob: (input) => [
    {
      kind: 'search',
      pattern: text(input.pattern),
      ...(textIn(input.path) === undefined ? {} : { path: text(input.path) }),
    },
  ],
  WebFetch: (input) => [{ kind: 'fetch', url: text(input.url) }],
  Task: (input) => [{ kind: 'delegation', title: text(input.description), prompt: text(input.prompt) }],
  Agent: (input) => [{ kind: 'delegation', title: text(input.description), prompt: text(input.prompt) }],
  AskUserQuestion: (input) =>
    listIn(input.questions).map((question) => ({ kind: 'question', text: text(objectIn(question)?.question) })),
  ExitPlanMode: (input) => [{ kind: 'plan', text: text(input.plan) }],
};

const editOf = (path: string, edit: JsonObject): ToolAction => ({
  kind: 'change',
  path,
  how: 'edited',
  before: text(edit.old_string),
  after: text(edit.new_string),
});

function linesOf(input: JsonObject): LineRange | undefined {
  const first = numberIn(input.offset);
  const count = numberIn(input.limit);
  if (first === undefined && count === undefined) return undefined;
  const from = Math.max(1, first ?? 1);
  return count === undefined ? { first: from } : { first: from, last: from + count - 1 };
}

/** A call whose arguments are missing, e.g. because it was cut off, did nothing. */
function isComplete(action: ToolAction): boolean {
  switch (action.kind) {
    case 'command':
      return action.command !== '';
    case 'read':
    case 'change':
      return action.path !== '';
    case 'search':
      return action.pattern !== '';
    case 'fetch':
      return action.url !== '';
    case 'delegation':
      return action.title !== '' || action.prompt !== '';
    case 'question':
    case 'plan':
      return action.text !== '';
  }
}
