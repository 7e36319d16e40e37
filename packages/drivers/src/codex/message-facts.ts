import type { ConversationFact, InputKind, JsonObject } from '@devs/core';
import { listIn, objectIn, textIn } from '../reading/json.js';
import { isSummaryForSuccessor } from './compaction-facts.js';
import type { CodexMemory } from './create-codex-parser.js';

/** A message in the user's, the program's or the model's name. */
export function messageFacts(item: JsonObject, metadata: JsonObject, memory: CodexMemory): readonly ConversationFact[] {
  const parts = partsOf(item);
  if (item.role !== 'assistant') return parts.flatMap((part) => inputFacts(part, item.role));
  const text = parts.map((part) => part.text).join('\n');
  if (text === '') return [];
  if (metadata.compaction_output !== true) return [{ type: 'note.written', text }];
  memory.summary = text; // the compaction itself is the next line but a few
  return [];
}

interface Part {
  readonly text: string;
  /** The program's name for the part, e.g. `user.text`; older versions have none. */
  readonly kind?: string;
}

function partsOf(item: JsonObject): readonly Part[] {
  const kinds = listIn(objectIn(item.internal_chat_message_metadata_passthrough)?.content_item_kinds);
  return listIn(item.content).flatMap((content, index) => {
    const text = textIn(objectIn(content)?.text);
    const kind = textIn(kinds[index]);
    return text === undefined || text.trim() === '' ? [] : [{ text, ...(kind === undefined ? {} : { kind }) }];
  });
}

function inputFacts({ text, kind }: Part, role: unknown): readonly ConversationFact[] {
  if (role === 'user' && isSummaryForSuccessor(text)) return []; // already reported by the compaction
  const noted = role === 'user' ? kindOfUserPart(text, kind) : kind?.startsWith('hooks.') ? 'hook' : 'meta';
  if (noted !== undefined) return [{ type: 'input.noted', kind: noted, text }];
  const [, context, request] = EDITOR_CONTEXT.exec(text) ?? [];
  if (context === undefined || request === undefined) return [{ type: 'request.made', text }];
  return [
    { type: 'input.noted', kind: 'meta', text: context },
    { type: 'request.made', text: request },
  ];
}

/** The editor extension puts open files and selections before the user's text. */
const EDITOR_CONTEXT = /^(# Context from my IDE setup:[\s\S]*?)\n## My request for Codex:\s*\n([\s\S]+)$/;

function kindOfUserPart(text: string, kind: string | undefined): InputKind | undefined {
  if (kind?.startsWith('hooks.')) return 'hook';
  const start = text.trimStart();
  const known = KINDS.find(([, pattern]) => pattern.test(start))?.[0];
  if (kind === undefined || kind === 'unknown') return known;
  return kind.startsWith('user.') ? undefined : (known ?? 'meta');
}

/** Recognises parts in versions without names, by the program's own beginnings. */
const KINDS: readonly (readonly [InputKind, RegExp])[] = [
  ['shell', /^<user_shell_command>/],
  ['notification', /^<subagent_notification>/],
  [
    'meta',
    /^(?:# AGENTS\.md instructions for |<(?:user_instructions|environment_context|turn_aborted|user_action|skill|model_switch)>|<\/?image\b)/,
  ],
];
