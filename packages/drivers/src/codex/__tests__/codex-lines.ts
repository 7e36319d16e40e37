import type { ConversationFact } from '@devs/core';
import { createCodexParser } from '../create-codex-parser.js';

/** Lines as Codex 0.166.0 writes them, reduced to the relevant parts. */
export const line = (type: string, payload: object, more: object = {}) =>
  JSON.stringify({ timestamp: '2026-01-02T03:04:05.678Z', ordinal: 1, type, payload, ...more });

export const item = (payload: object, metadata: object = {}) => line('response_item', payload, { metadata });

export const started = line('session_meta', {
  id: 'thread-1',
  cwd: '/project',
  cli_version: '0.166.0',
  source: 'cli',
  thread_source: 'user',
});

/** A message whose parts the program names, as it does since 0.16x; without names, as it was before. */
export const message = (role: string, ...parts: readonly (readonly [text: string, kind?: string])[]) =>
  item({
    type: 'message',
    role,
    content: parts.map(([text]) => ({ type: role === 'assistant' ? 'output_text' : 'input_text', text })),
    ...(parts.some(([, kind]) => kind !== undefined)
      ? {
          internal_chat_message_metadata_passthrough: {
            content_item_kinds: parts.map(([, kind]) => kind ?? 'unknown'),
          },
        }
      : {}),
  });

export const called = (name: string, input: object, callId = 'call-1') =>
  item({ type: 'function_call', name, arguments: JSON.stringify(input), call_id: callId });

export const answered = (output: unknown, callId = 'call-1') =>
  item({ type: 'function_call_output', call_id: callId, output });

export function read(...lines: readonly string[]) {
  const parser = createCodexParser();
  const events = lines.flatMap((text, index) => parser.parseLine(text, { line: index + 1, byteOffset: 0 }));
  const facts = events.map(({ from: _, ...fact }): ConversationFact => fact);
  return { events, facts, tally: parser.tally() };
}
