import type { ConversationFact, JsonObject } from '@devs/core';
import { objectIn, textIn } from '../reading/json.js';
import type { OpencodeMemory } from './create-opencode-parser.js';

/** Facts of the message itself; nearly everything is in its parts. */
export function messageFacts(message: JsonObject, id: string, { told }: OpencodeMemory): readonly ConversationFact[] {
  const name = textIn(objectIn(message.error)?.name);
  if (name !== 'MessageAbortedError' || told.has(id)) return [];
  told.set(id, true);
  return [{ type: 'input.noted', kind: 'interruption', text: 'interrupted' }];
}
