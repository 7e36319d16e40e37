import type { StoredEvent } from '@devs/core/folds';

/** How full the context was. */
export interface UsageSample {
  readonly at: number;
  readonly position: number;
  readonly usedTokens: number;
  readonly windowTokens: number;
  /** Taken when a turn ended; the others are of within a long one. */
  readonly endsTurn: boolean;
}

/** What the record of one terminal says about its context, oldest first. Pure. */
export const usageSamples = (events: readonly StoredEvent[]): readonly UsageSample[] =>
  events.flatMap(({ type, at, position, data }) =>
    type === 'usage.observed'
      ? [
          {
            at,
            position,
            usedTokens: Number(data.usedTokens ?? 0),
            windowTokens: Number(data.windowTokens ?? 0),
            endsTurn: data.endsTurn === true,
          },
        ]
      : [],
  );

/** One for each turn; all, where the record is of a time that did not tell turns apart. Pure. */
export function samplesOfTurns(samples: readonly UsageSample[]): readonly UsageSample[] {
  const ofTurns = samples.filter(({ endsTurn }) => endsTurn);
  return ofTurns.length === 0 ? samples : ofTurns;
}
