import type { ConversationFact } from '@devs/core';
import { createGeminiParser } from '../create-gemini-parser.js';

/** Lines as Gemini CLI 0.61.0 writes them, reduced to the relevant parts. */
const at = '2026-01-02T03:04:05.678Z';

export const head = (more: object = {}) =>
  JSON.stringify({ sessionId: 'chat-1', projectHash: 'h', startTime: at, lastUpdated: at, kind: 'main', ...more });

export const SET_UP =
  '<session_context>\nThis is the Gemini CLI.\n- **Workspace Directories:**\n  - /project\n- **Directory Structure:**\n</session_context>';

/** Typed text is also in `displayContent`; additions of the program are not. */
export const typed = (id: string, text: string, ...added: readonly string[]) => ({
  ...user(id, text, ...added),
  displayContent: [{ text }],
});

export const user = (id: string, ...texts: readonly string[]) => ({
  id,
  timestamp: at,
  type: 'user',
  content: texts.map((text) => ({ text })),
});

export const model = (id: string, content: unknown, more: object = {}) => ({
  id,
  timestamp: at,
  type: 'gemini',
  content,
  thoughts: [],
  tokens: { input: 9_000, output: 25, cached: 100, thoughts: 5, tool: 0, total: 9_030 },
  model: 'gemini-2.5-pro',
  ...more,
});

export const call = (name: string, args: object, response: object = { output: '' }, status = 'success') => ({
  id: `${name}__1`,
  name,
  args,
  result: [{ functionResponse: { id: `${name}__1`, name, response } }],
  status,
});

export const history = (...messages: readonly object[]) => ({ $set: { messages, lastUpdated: at } });

export function read(...records: readonly (object | string)[]) {
  const parser = createGeminiParser();
  const lines = records.map((record) => (typeof record === 'string' ? record : JSON.stringify(record)));
  const events = lines.flatMap((text, index) => parser.parseLine(text, { line: index + 1, byteOffset: 0 }));
  const facts = events.map(({ from: _, ...fact }): ConversationFact => fact);
  return { events, facts, tally: parser.tally() };
}

export const kinds = (facts: readonly ConversationFact[]) =>
  facts.map((fact) => (fact.type === 'input.noted' ? fact.kind : fact.type));
