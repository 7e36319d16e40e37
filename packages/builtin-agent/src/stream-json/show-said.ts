import type { JsonObject } from '@devs/core';
import { describeUse } from './claude-tools.js';

const MAX_CHARS = 200;

/** What one message of the agent looks like in the live view, line by line; results of tools are folded. Pure. */
export function showSaid(parts: readonly JsonObject[]): readonly string[] {
  return parts.flatMap((part) => {
    switch (part.type) {
      case 'text':
        return typeof part.text === 'string' && part.text.trim() !== '' ? [part.text.trimEnd()] : [];
      case 'tool_use': {
        const tool = typeof part.name === 'string' ? part.name : 'tool';
        const input = typeof part.input === 'object' && part.input !== null ? (part.input as JsonObject) : {};
        return [`→ ${tool} ${firstLine(describeUse({ tool, input }))}`];
      }
      case 'tool_result':
        return [`← ${part.is_error === true ? 'error ' : ''}${firstLine(textOf(part.content))}`.trimEnd()];
      default:
        return [];
    }
  });
}

const firstLine = (text: string): string => text.split('\n', 1)[0]?.slice(0, MAX_CHARS) ?? '';

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  const first: unknown = Array.isArray(content) ? content[0] : undefined;
  return typeof first === 'object' && first !== null && 'text' in first ? String(first.text) : '';
}
