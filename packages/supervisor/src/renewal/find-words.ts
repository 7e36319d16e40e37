import { type AgentEvent, type HandoffEvent, parseHandoffFromOutput, requestMark } from '@devs/core';
import type { FollowedAgent } from '../follow/follow-agent.js';
import type { Supervision } from '../supervision.js';

type Received = Extract<HandoffEvent, { type: 'handoff.received' }>;

/** What the agent wrote through the tool since the renewal began: the most trusted source. */
export async function findToolWords({ store, handoffStream, record }: Supervision): Promise<Received | undefined> {
  if (handoffStream === undefined) return undefined;
  const events = await store.log.read({ stream: handoffStream, after: record.facts.renewalPosition });
  const text = events.findLast(({ type }) => type === 'handoff.written')?.data.text;
  return typeof text === 'string' && text.trim() !== ''
    ? { type: 'handoff.received', source: 'tool', text }
    : undefined;
}

/** What it answered, from its transcript, else from its screen. To be asked only when its turn has ended (H3). */
export function findAnswer(agent: FollowedAgent, newAgentId: string): Received | undefined {
  const spoken = answersAfter(agent.since(0), newAgentId)
    .map((text) => parseHandoffFromOutput(text, { isComplete: true }))
    .findLast((text) => text !== undefined);
  if (spoken !== undefined) return { type: 'handoff.received', source: 'transcript', text: spoken };
  const screen = agent.screenText();
  const at = screen.lastIndexOf(requestMark(newAgentId));
  if (at === -1) return undefined; // what stands there is older than the request
  const shown = parseHandoffFromOutput(screen.slice(at), { isComplete: true, columns: agent.columns() });
  return shown === undefined ? undefined : { type: 'handoff.received', source: 'screen', text: shown };
}

/** Whether the agent's records show that it was asked. */
export const wasAsked = (events: readonly AgentEvent[], newAgentId: string): boolean =>
  events.some((event) => event.type === 'conversation.grew' && requestIn(event, newAgentId) !== -1);

/** What it said to the user after it was asked. */
export function answersAfter(events: readonly AgentEvent[], newAgentId: string): readonly string[] {
  const grown = events.flatMap((event) => (event.type === 'conversation.grew' ? [event] : []));
  const at = grown.findIndex((event) => requestIn(event, newAgentId) !== -1);
  if (at === -1) return [];
  return grown
    .slice(at)
    .flatMap((event, index) =>
      event.events
        .slice(index === 0 ? requestIn(event, newAgentId) + 1 : 0)
        .flatMap((said) => (said.type === 'note.written' && said.from.subAgent === undefined ? [said.text] : [])),
    );
}

const requestIn = ({ events }: Extract<AgentEvent, { type: 'conversation.grew' }>, newAgentId: string): number =>
  events.findIndex((event) => event.type === 'request.made' && event.text.includes(requestMark(newAgentId)));
