import type { ConversationFact, JsonObject } from '@devs/core';
import { listIn, objectIn, textIn } from '../reading/json.js';
import { callFacts } from './call-facts.js';
import type { CodexLine } from './create-codex-parser.js';
import { messageFacts } from './message-facts.js';
import { toolAnswer } from './tool-answer.js';

/** What went to the model or came from it. */
export function itemFacts(record: JsonObject, item: JsonObject, line: CodexLine): readonly ConversationFact[] {
  switch (item.type) {
    case 'message':
      return messageFacts(item, objectIn(record.metadata) ?? {}, line.memory);
    case 'reasoning':
      return thoughtFacts(item);
    case 'function_call':
    case 'custom_tool_call':
    case 'local_shell_call':
    case 'web_search_call':
      return callFacts(item, line.memory);
    case 'function_call_output':
    case 'custom_tool_call_output':
      return [toolAnswer(item, line.memory)];
    default:
      if (!KNOWN_TO_SAY_NOTHING.has(String(item.type))) line.countUnknown(`response_item.${String(item.type)}`);
      return [];
  }
}

const KNOWN_TO_SAY_NOTHING = new Set([
  'compaction',
  'compaction_summary',
  'context_compaction',
  'ghost_snapshot',
  'image_generation_call',
  'other',
  'tool_search_call',
  'tool_search_output',
]);

function thoughtFacts(item: JsonObject): readonly ConversationFact[] {
  const text = [...listIn(item.summary), ...listIn(item.content)]
    .map((part) => textIn(objectIn(part)?.text) ?? '')
    .filter((part) => part !== '')
    .join('\n');
  return text === '' ? [] : [{ type: 'thought.written', text }];
}
