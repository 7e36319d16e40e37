import type { ConversationFact, JsonObject } from '@devs/core';
import { listIn, objectIn, textIn } from '../reading/json.js';
import type { GeminiMemory } from './gemini-memory.js';

/** A message in the user's name: their own words, and additions of program and hooks. Results are elsewhere. */
export function userFacts(
  message: JsonObject,
  memory: GeminiMemory,
  { restated }: { readonly restated: boolean },
): readonly ConversationFact[] {
  const texts = textsIn(message.content);
  // When a turn is cancelled, everything so far is written once more as a single message.
  const isRepeated = restated || texts.some((text) => text.startsWith('<session_context>'));
  // The text that the user typed; the content may include whole files that they only named.
  const shown = message.displayContent === undefined ? undefined : textsIn(message.displayContent);
  return texts.flatMap(splitHooks).flatMap((text) => {
    const isOwn = shown === undefined || shown.some((words) => words.includes(text));
    return inputFacts(text, { memory, isOwn }).filter((fact) => isUntold(fact, memory) || !isRepeated);
  });
}

function textsIn(content: unknown): readonly string[] {
  if (typeof content === 'string') return [content];
  return listIn(content).flatMap((part) => {
    const text = textIn(objectIn(part)?.text);
    return text === undefined || text.trim() === '' ? [] : [text];
  });
}

/** Text of a hook may precede the user's words, in the same part. */
function splitHooks(text: string): readonly string[] {
  const [, hook, rest = ''] = /^(<hook_context>[\s\S]*?<\/hook_context>)\s*([\s\S]*)$/.exec(text) ?? [];
  if (hook === undefined) return [text];
  return rest === '' ? [hook] : [hook, ...splitHooks(rest)];
}

function inputFacts(
  text: string,
  { memory, isOwn }: { readonly memory: GeminiMemory; readonly isOwn: boolean },
): readonly ConversationFact[] {
  if (text.startsWith('<hook_context>')) return [{ type: 'input.noted', kind: 'hook', text }];
  if (text.startsWith('<session_context>')) {
    return [{ type: 'input.noted', kind: 'meta', text }, ...memory.describe({ folder: workspaceIn(text) })];
  }
  if (text.startsWith('<state_snapshot>')) {
    if (!memory.isNewText('summary', text)) return [];
    // The transcript does not say who asked for the compression.
    return [
      { type: 'context.compacted', trigger: 'unknown' },
      { type: 'summary.written', text: text.replace(/^<state_snapshot>\s*|\s*<\/state_snapshot>\s*$/g, '') },
    ];
  }
  if (text.startsWith('I ran the following shell command:\n```sh\n'))
    return [{ type: 'input.noted', kind: 'shell', text }];
  return [isOwn ? { type: 'request.made', text } : { type: 'input.noted', kind: 'meta', text }];
}

const workspaceIn = (context: string) => /\*\*Workspace Directories:\*\*\n\s*- (.+)/.exec(context)?.[1]?.trim();

/** Also remembers the fact. */
function isUntold(fact: ConversationFact, memory: GeminiMemory): boolean {
  switch (fact.type) {
    case 'request.made':
      return memory.isNewText('request', fact.text);
    case 'input.noted':
      return memory.isNewText('noted', fact.text);
    default:
      return true;
  }
}
