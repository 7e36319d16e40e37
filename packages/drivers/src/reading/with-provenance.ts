import type { ConversationEvent, ConversationFact, Provenance } from '@devs/core';

/** The facts of one line as events. They were made for this line, so that they become events without being copied. */
export function withProvenance(facts: readonly ConversationFact[], from: Provenance): readonly ConversationEvent[] {
  for (const fact of facts) (fact as { from?: Provenance }).from = from;
  return facts as readonly ConversationEvent[];
}
