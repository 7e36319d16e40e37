import type { ConversationEvent } from '../conversation/conversation-event.js';
import { NO_TOTALS, type RunTotals } from './run-facts.js';

/** What one conversation used since it was stored last. */
export interface UsageTally {
  readonly conversationId: string;
  readonly spent: RunTotals;
  /** The last model call that is counted. */
  readonly upTo?: string;
  /** Everything up to this call was counted before: a transcript that is read again begins before it. */
  readonly skipTo?: string;
  readonly model?: string;
}

export type CostOf = (call: {
  readonly model?: string;
  readonly inputTokens: number;
  readonly cachedTokens: number;
  readonly outputTokens: number;
}) => number | undefined;

export const openTally = (conversationId: string, countedUpTo?: string): UsageTally => ({
  conversationId,
  spent: NO_TOTALS,
  ...(countedUpTo === undefined ? {} : { skipTo: countedUpTo, upTo: countedUpTo }),
});

/** Pure: each model call once, however often a transcript is read. */
export function addUsage(tally: UsageTally, event: ConversationEvent, costOf: CostOf = () => undefined): UsageTally {
  switch (event.type) {
    case 'conversation.described':
      return event.model === undefined ? tally : { ...tally, model: event.model };
    case 'usage.reported': {
      const { messageId, inputTokens, outputTokens, cachedTokens = 0, costUsd } = event;
      if (tally.skipTo !== undefined) return messageId === tally.skipTo ? withoutSkip(tally) : tally;
      const call = { turns: 1, inputTokens, outputTokens, cachedTokens };
      return { ...spend(tally, call, costUsd === undefined ? costOf : () => costUsd), upTo: messageId };
    }
    case 'usage.grew': {
      if (tally.skipTo !== undefined) return tally;
      return spend(tally, { turns: 0, inputTokens: 0, cachedTokens: 0, outputTokens: event.outputTokens }, costOf);
    }
    default:
      return tally;
  }
}

/** Another process has the conversation now, and its transcript is read from the beginning again. */
export const readAgain = (tally: UsageTally): UsageTally =>
  tally.upTo === undefined ? tally : { ...tally, skipTo: tally.upTo };

/** From now on everything is new, even if the last counted call is not in the part of the past that was read. */
export const caughtUp = (tally: UsageTally): UsageTally => (tally.skipTo === undefined ? tally : withoutSkip(tally));

/** The count is stored; the next begins after it. */
export const storedTally = (tally: UsageTally): UsageTally => ({ ...tally, spent: NO_TOTALS });

function spend(
  tally: UsageTally,
  call: Pick<RunTotals, 'turns' | 'inputTokens' | 'outputTokens' | 'cachedTokens'>,
  costOf: CostOf,
): UsageTally {
  const { spent, model } = tally;
  const cost = costOf({ ...call, ...(model === undefined ? {} : { model }) });
  return {
    ...tally,
    spent: {
      ...spent,
      turns: spent.turns + call.turns,
      inputTokens: spent.inputTokens + call.inputTokens,
      cachedTokens: spent.cachedTokens + call.cachedTokens,
      outputTokens: spent.outputTokens + call.outputTokens,
      ...(cost === undefined ? {} : { costUsd: (spent.costUsd ?? 0) + cost }),
    },
  };
}

function withoutSkip(tally: UsageTally): UsageTally {
  const { skipTo: _, ...rest } = tally;
  return rest;
}
