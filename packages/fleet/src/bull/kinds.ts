const NO_NEEDS = 'any';

/** The name of the queue for a set of needs. Pure. */
export const kindOf = (needs: readonly string[]): string =>
  needs.length === 0 ? NO_NEEDS : `needs+${[...needs].sort().join('+')}`;

/** The needs that a queue is for. Pure. */
export const needsOf = (kind: string): readonly string[] => (kind === NO_NEEDS ? [] : kind.split('+').slice(1));
