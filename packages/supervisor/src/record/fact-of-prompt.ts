import { type AgentEvent, type ConversationEvent, isOwnPrompt } from '@devs/core';
import type { TerminalEvent } from './terminal-event.js';
import type { TerminalFacts } from './terminal-facts.js';

/**
 * The user gave the agent work while it waited for them: according to the agent's own records, or without any, to a
 * turn that it had while they were there. Pure.
 */
export function factOfPrompt(
  facts: TerminalFacts,
  event: AgentEvent,
  { agentId, isAttended }: { readonly agentId: string; readonly isAttended: boolean },
): TerminalEvent | undefined {
  const { agent, escalation, wentBack, waitsSince = 0 } = facts;
  if (agent?.agentId !== agentId || (escalation === undefined && wentBack === undefined)) return undefined;
  const isAnswer =
    (event.type === 'conversation.grew' && isAskedAfter(event, waitsSince)) ||
    (event.type === 'turn.ended' && event.error === undefined && isAttended && event.at > waitsSince);
  return isAnswer ? { type: 'prompt.observed' } : undefined;
}

/** Whether a prompt comes from someone other than devs, now. */
export const isWish = (event: AgentEvent): boolean =>
  event.type === 'conversation.grew' && !event.isPast && event.events.some(isForeignRequest);

const isForeignRequest = (event: ConversationEvent): boolean =>
  event.type === 'request.made' && event.from.subAgent === undefined && !isOwnPrompt(event.text);

function isAskedAfter({ events, isPast }: Extract<AgentEvent, { type: 'conversation.grew' }>, since: number): boolean {
  return events.some((event) => {
    if (!isForeignRequest(event)) return false;
    const at = Date.parse(event.from.at ?? '');
    return Number.isNaN(at) ? !isPast : at > since;
  });
}
