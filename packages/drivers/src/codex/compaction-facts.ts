import type { ConversationFact, JsonObject } from '@devs/core';
import { textIn } from '../reading/json.js';
import type { CodexMemory } from './create-codex-parser.js';

/**
 * Codex does not say whether the user or the program asked for the compaction. Where the provider compacts, the summary
 * is encrypted, and there is none to tell.
 */
export function compactionFacts(payload: JsonObject, memory: CodexMemory): readonly ConversationFact[] {
  const text = memory.summary ?? summaryIn(textIn(payload.message) ?? '');
  delete memory.summary;
  const compacted: ConversationFact = { type: 'context.compacted', trigger: 'unknown' };
  return text === '' ? [compacted] : [compacted, { type: 'summary.written', text }];
}

/** The summary for the next model begins with words of the program. */
export const isSummaryForSuccessor = (text: string) =>
  text.startsWith('Another language model started to solve this problem');

function summaryIn(message: string): string {
  return isSummaryForSuccessor(message) ? message.slice(message.indexOf('\n') + 1).trim() : message.trim();
}
