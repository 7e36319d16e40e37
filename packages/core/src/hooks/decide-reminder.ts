/** What was counted in a conversation since it was last reminded of the specs, or since it began. */
export interface ReminderCount {
  /** What the user sent. */
  readonly prompts: number;
  /** Calls of the model, as far as they were counted: one prompt may lead to hundreds. */
  readonly calls: number;
}

export interface SpecsSeen {
  /** Of the specs that the conversation knows; nothing where it never met any. */
  readonly known: string | undefined;
  /** Of those that are there now; nothing where there are none. */
  readonly now: string | undefined;
}

export type ReminderDecision =
  | { readonly due: false }
  | { readonly due: true; readonly reason: 'specs-changed' | 'turns' | 'forgotten' };

/**
 * Whether to put the specs in front of an agent that keeps what it is told: each reminder stays in its context and is
 * paid for in every later call, so it comes when they changed, after many turns, and when it has just forgotten them.
 */
export function decideReminder(
  specs: SpecsSeen,
  since: ReminderCount | 'forgotten',
  everyTurns: number,
): ReminderDecision {
  if (specs.now === undefined) return NOT_DUE;
  if (since === 'forgotten') return { due: true, reason: 'forgotten' };
  if (specs.known !== undefined && specs.known !== specs.now) return { due: true, reason: 'specs-changed' };
  return Math.max(since.prompts, since.calls) >= everyTurns ? { due: true, reason: 'turns' } : NOT_DUE;
}

const NOT_DUE = { due: false } as const;
