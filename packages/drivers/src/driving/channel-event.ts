import type { AgentEvent } from '@devs/core';
import type { StatusFact } from './standing-fact.js';

type Stamp = { readonly at: number; readonly isPast: boolean };

/** What an agent wrote down about words that reached it, permissions, interrupts and errors, as an event. Pure. */
export function channelEvent(fact: StatusFact, stamp: Stamp): AgentEvent | undefined {
  switch (fact.type) {
    case 'prompt-accepted':
      return { ...fact, type: 'prompt.accepted', ...stamp };
    case 'permission-asked':
      return { ...fact, type: 'permission.asked', ...stamp };
    case 'permission-settled':
      return { ...fact, type: 'permission.settled', ...stamp };
    case 'interrupted':
      return { type: 'turn.interrupted', ...stamp };
    case 'cost':
      return { ...fact, type: 'cost.stated', ...stamp };
    case 'error':
      return { ...fact, type: 'error.reported', ...stamp };
    default:
      return undefined;
  }
}
