import type { JsonObject, ToolAction } from '@devs/core';
import { listIn, objectIn, textIn } from '../reading/json.js';
import { within } from '../reading/within.js';
import { actionsInCommand } from './actions-in-command.js';
import { parsePatch } from './parse-patch.js';

export interface CodexCall {
  readonly tool: string;
  readonly input: JsonObject;
  readonly command: string | undefined;
  /** Where the conversation takes place: relative paths begin there. */
  readonly folder: string | undefined;
}

/** Actions of a call of one of Codex' own tools. Foreign tools (MCP) have no known actions. */
export function toolActions({ tool, input, command, folder }: CodexCall): readonly ToolAction[] {
  if (command !== undefined)
    return commandActions(command, { ...placeOf(input, folder), purpose: textIn(input.justification) });
  const text = (name: string) => textIn(input[name]) ?? '';
  switch (tool) {
    case 'apply_patch':
      return patchActions(text('input'), folder);
    case 'view_image':
      return text('path') === '' ? [] : [{ kind: 'read', path: within(folder, text('path')) }];
    case 'web_search':
      return text('url') === '' ? [] : [{ kind: 'fetch', url: text('url') }];
    case 'spawn_agent':
      return text('message') === '' ? [] : [{ kind: 'delegation', title: text('agent_type'), prompt: text('message') }];
    case 'request_user_input':
      return listIn(input.questions).flatMap((entry) => {
        const question = textIn(objectIn(entry)?.question);
        return question === undefined ? [] : [{ kind: 'question', text: question }];
      });
    default:
      return [];
  }
}

interface CommandPlace {
  readonly folder: string | undefined;
  /** Whether the call itself says where it runs. */
  readonly isNamed: boolean;
}

const placeOf = (input: JsonObject, folder: string | undefined): CommandPlace => {
  const place = textIn(input.workdir ?? input.working_directory);
  return place === undefined ? { folder, isNamed: false } : { folder: within(folder, place), isNamed: true };
};

function commandActions(
  command: string,
  { folder, isNamed, purpose }: CommandPlace & { readonly purpose: string | undefined },
): readonly ToolAction[] {
  // Models that have no tool for patches call it as a program in the shell.
  const patch = /\*\*\* Begin Patch[\s\S]*?\*\*\* End Patch/.exec(command)?.[0];
  if (patch !== undefined && /^\s*(?:cd [^&;]+&& *)?(?:apply_patch|applypatch)\b/.test(command)) {
    return patchActions(patch, folder);
  }
  const run: ToolAction = {
    kind: 'command',
    command,
    ...(purpose === undefined ? {} : { purpose }),
    ...(isNamed && folder !== undefined ? { folder } : {}),
  };
  return [run, ...actionsInCommand(command).map((action) => placed(action, folder))];
}

function patchActions(patch: string, folder: string | undefined): readonly ToolAction[] {
  return parsePatch(patch).flatMap((file): readonly ToolAction[] => {
    const path = within(folder, file.path);
    if (file.how === 'deleted') return [{ kind: 'change', path, how: 'deleted' }];
    if (file.how === 'written') return [{ kind: 'change', path, how: 'written', after: file.content }];
    const movedTo = file.movedTo === undefined ? undefined : within(folder, file.movedTo);
    const edits = file.edits.map(
      (edit): ToolAction => ({ kind: 'change', path: movedTo ?? path, how: 'edited', ...edit }),
    );
    return movedTo === undefined ? edits : [{ kind: 'change', path, how: 'moved', movedTo }, ...edits];
  });
}

function placed(action: ToolAction, folder: string | undefined): ToolAction {
  if (action.kind === 'read') return { ...action, path: within(folder, action.path) };
  if (action.kind === 'search' && action.path !== undefined) return { ...action, path: within(folder, action.path) };
  return action;
}
