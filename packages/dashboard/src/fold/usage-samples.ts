import type { StoredEvent } from '@devs/core/folds';

/** How full the context was at the end of a turn. */
export interface UsageSample {
  readonly at: number;
  readonly position: number;
  readonly usedTokens: number;
  readonly windowTokens: number;
}

/** What the record of one terminal says about its context, oldest first. Pure. */
export const usageSamples = (events: readonly StoredEvent[]): readonly UsageSample[] =>
  events.flatMap(({ type, at, position, data }) =>
    type === 'usage.observed'
      ? [{ at, position, usedTokens: Number(data.usedTokens ?? 0), windowTokens: Number(data.windowTokens ?? 0) }]
      : [],
  );
