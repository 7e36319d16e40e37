import type { TypingOutcome } from '@devs/core';
import type { FollowedAgent } from '../follow/follow-agent.js';
import type { Supervision } from '../supervision.js';
import { typePrompt } from './type-prompt.js';

/**
 * Types words of devs itself. They are recorded first: the next supervisor finds them in the input if they were never sent, and
 * would otherwise take them for a draft of the user, and wait for it for ever (R3).
 */
export async function typeOwnText(
  { record, driver, typing, patience, source }: Supervision,
  agent: FollowedAgent,
  text: string,
): Promise<TypingOutcome> {
  if (!record.facts.typed.includes(text)) await record.append({ type: 'text.intended', text });
  const keepsRecords = source !== undefined;
  return typePrompt({ agent, driver, text, keepsRecords, policy: typing, signal: patience.signal });
}
