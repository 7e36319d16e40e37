import type { AgentEvent, ContextUsage } from '@devs/core';
import type { TerminalEvent } from './terminal-event.js';
import type { TerminalFacts } from './terminal-facts.js';

/** What of an agent's event belongs into the record, or nothing. Pure; of high-rate facts such as usage only samples do. */
export function factOfEvent(
  facts: TerminalFacts,
  event: AgentEvent,
  { agentId, isWorkAwaited }: { readonly agentId: string; readonly isWorkAwaited: boolean },
): TerminalEvent | undefined {
  const { agent } = facts;
  if (agent?.agentId !== agentId) return undefined;
  switch (event.type) {
    case 'conversation.changed':
      return agent.conversationId === event.conversationId
        ? undefined
        : { type: 'conversation.observed', agentId, conversationId: event.conversationId };
    case 'conversation.grew': {
      const { conversationId, path } = event;
      const isKnown = agent.conversationId === conversationId && agent.path === path;
      return isKnown ? undefined : { type: 'conversation.observed', agentId, conversationId, path };
    }
    case 'settings.changed': {
      const isKnown = Object.entries(event.settings).every(
        ([name, value]) => facts.settings[name as 'model'] === value,
      );
      return isKnown ? undefined : { type: 'settings.observed', settings: event.settings };
    }
    case 'permission.granted':
      return event.isPast ? undefined : { type: 'permission.observed', tool: event.tool, detail: event.detail };
    case 'protocol.observed': {
      const { what, tokens } = event;
      return event.isPast
        ? undefined
        : { type: 'protocol.observed', what, ...(tokens === undefined ? {} : { tokens }) };
    }
    case 'usage.measured':
      return isWorthASample(event.usage, facts.usage)
        ? { type: 'usage.observed', ...sampleOf(event.usage) }
        : undefined;
    case 'limit.passed':
      return facts.parksInARow > 0 ? { type: 'limit.passed' } : undefined;
    case 'turn.ended':
      if (event.isPast || event.error !== undefined) return undefined;
      return facts.resumesInARow > 0 || isWorkAwaited ? { type: 'agent.worked', agentId } : undefined;
    default:
      return undefined;
  }
}

/** How full the context is at the end of a turn: pressure over time, one sample for each turn. Pure. */
export function usageOfTurn(
  { agent }: TerminalFacts,
  event: AgentEvent,
  { agentId, usage, costUsd }: TurnUsage,
): TerminalEvent | undefined {
  if (event.type !== 'turn.ended' || event.isPast || agent?.agentId !== agentId) return undefined;
  if (usage === undefined || usage.windowTokens <= 0) return undefined;
  const cost = costUsd === undefined ? {} : { processUsd: costUsd };
  return { type: 'usage.observed', ...sampleOf(usage), endsTurn: true, ...cost };
}

interface TurnUsage {
  readonly agentId: string;
  readonly usage: ContextUsage | undefined;
  readonly costUsd?: number | undefined;
}

/** Of the window: what a long turn adds is seen before it ends. */
const SAMPLE_SHARE = 1 / 50;

function isWorthASample({ usedTokens, windowTokens }: ContextUsage, last: ContextUsage | undefined): boolean {
  if (windowTokens <= 0) return false;
  if (last === undefined || last.windowTokens !== windowTokens) return true;
  return Math.abs(usedTokens - last.usedTokens) >= windowTokens * SAMPLE_SHARE;
}

const sampleOf = ({ usedTokens, windowTokens }: ContextUsage): ContextUsage => ({ usedTokens, windowTokens });
