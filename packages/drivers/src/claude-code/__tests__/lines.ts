import type { ConversationEvent } from '@devs/core';
import { createClaudeCodeParser } from '../create-claude-code-parser.js';

type Line = Readonly<Record<string, unknown>>;

export const user = (content: unknown, more: Line = {}): Line => ({
  type: 'user',
  message: { role: 'user', content },
  ...more,
});

export const agent = (parts: readonly unknown[], message: Line = {}, more: Line = {}): Line => ({
  type: 'assistant',
  message: { role: 'assistant', content: parts, ...message },
  ...more,
});

export const call = (name: string, input: unknown, id = 'call-1') => ({ type: 'tool_use', id, name, input });

export const result = (content: unknown, more: Line = {}) => ({
  type: 'tool_result',
  tool_use_id: 'call-1',
  content,
  ...more,
});

/** The parser's facts for these lines, without their places. */
export function factsOf(...lines: readonly (Line | string)[]): readonly Omit<ConversationEvent, 'from'>[] {
  const parser = createClaudeCodeParser();
  return lines.flatMap((line, index) =>
    parser
      .parseLine(typeof line === 'string' ? line : JSON.stringify(line), { line: index + 1, byteOffset: 0 })
      .map(({ from: _, ...fact }) => fact),
  );
}
