import type { ConversationFact, ConversationTaskStatus, JsonObject } from '@devs/core';
import { listIn, objectIn, parseObject, textIn } from '../reading/json.js';
import type { CodexMemory } from './create-codex-parser.js';
import { toolActions } from './tool-actions.js';

/** The shell command of a call. The tool has had several names, and its command was a text or a list of words. */
function commandIn(tool: string, input: JsonObject): string | undefined {
  if (!SHELLS.has(tool)) return undefined;
  const command = Array.isArray(input.command)
    ? scriptOf(input.command.map(String))
    : textIn(input.cmd ?? input.command);
  return command === '' ? undefined : command;
}

const SHELLS = new Set(['exec_command', 'shell_command', 'shell', 'local_shell', 'container.exec']);

/** The program runs a script as `bash -lc SCRIPT`: the model wrote only the script. */
function scriptOf(words: readonly string[]): string {
  const [shell = '', flag = '', script] = words;
  const isScript = words.length === 3 && /(?:^|\/)(?:ba|z|da)?sh$/.test(shell) && /^-l?c$/.test(flag);
  return isScript && script !== undefined ? script : words.join(' ');
}

/** A call of a tool, in any of the forms in which the model may make one. */
export function callFacts(item: JsonObject, memory: CodexMemory): readonly ConversationFact[] {
  const callId = textIn(item.call_id) ?? textIn(item.id) ?? '';
  const { tool, input } = callOf(item);
  const command = commandIn(tool, input) ?? memory.processes.get(String(input.session_id));
  if (command !== undefined) memory.commands.set(callId, command);
  const actions = toolActions({ tool, input, command, folder: memory.described.get('folder') });
  const call: ConversationFact = { type: 'tool.called', callId, tool, input, actions };
  return tool === 'update_plan' && Array.isArray(input.plan) ? [call, planned(input)] : [call];
}

function callOf(item: JsonObject): { readonly tool: string; readonly input: JsonObject } {
  switch (item.type) {
    case 'custom_tool_call': // its input is text in its own grammar
      return { tool: textIn(item.name) ?? '', input: { input: textIn(item.input) ?? '' } };
    case 'local_shell_call':
      return { tool: 'local_shell', input: objectIn(item.action) ?? {} };
    case 'web_search_call':
      return { tool: 'web_search', input: objectIn(item.action) ?? {} };
    default: {
      const name = textIn(item.name) ?? '';
      const namespace = textIn(item.namespace);
      const tool = namespace === undefined ? name : `${namespace}__${name}`;
      return { tool, input: parseObject(textIn(item.arguments) ?? '') ?? {} };
    }
  }
}

function planned(input: JsonObject): ConversationFact {
  const tasks = listIn(input.plan).flatMap((entry) => {
    const { step, status } = objectIn(entry) ?? {};
    return typeof step === 'string' ? [{ title: step, status: statusOf(status) }] : [];
  });
  return { type: 'tasks.replaced', tasks };
}

const statusOf = (value: unknown): ConversationTaskStatus =>
  value === 'in_progress' || value === 'completed' ? value : 'pending';
