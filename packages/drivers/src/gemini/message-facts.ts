import type { ConversationFact, JsonObject } from '@devs/core';
import { textIn } from '../reading/json.js';
import type { GeminiMemory } from './gemini-memory.js';
import { modelFacts } from './model-facts.js';
import { userFacts } from './user-facts.js';

/** What one message says that was not said before. Nothing at all for a type that is not known. */
export function messageFacts(
  message: JsonObject,
  memory: GeminiMemory,
  { restated }: { readonly restated: boolean },
): readonly ConversationFact[] | undefined {
  switch (message.type) {
    case 'user':
      return userFacts(message, memory, { restated });
    case 'gemini':
      return modelFacts(message, memory, { restated });
    case 'info': {
      const text = textIn(message.content) ?? '';
      const isCancellation = text === 'Request cancelled.' && !restated;
      return isCancellation ? [{ type: 'input.noted', kind: 'interruption', text }] : [];
    }
    case 'warning':
    case 'error':
      return []; // words of the program to the user
    default:
      return undefined;
  }
}
