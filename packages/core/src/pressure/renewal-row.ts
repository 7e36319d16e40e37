/** What speaks against another renewal that no person asked for. */
export interface RenewalRow {
  /** Renewals since a step or a task ended. Those that a person asked for are not counted. */
  readonly inARow: number;
  /** The agent has finished a turn since the last renewal. */
  readonly hasWorked: boolean;
}

export type RowRefusal = 'too many in a row' | 'no work since the last one';

/**
 * Why the policy does not renew this agent again, or nothing. An agent that fills its window without finishing anything would
 * be renewed for ever; its own compaction is still there, above our marks.
 */
export function refusalOfRow({ inARow, hasWorked }: RenewalRow, most: number): RowRefusal | undefined {
  if (inARow >= most) return 'too many in a row';
  return hasWorked ? undefined : 'no work since the last one';
}
