/** Counts in a conversation since its last reminder of the specs, or since its start. */
export interface ReminderCount {
  /** Prompts of the user. */
  readonly prompts: number;
  /** Calls of the model, as far as they were counted: one prompt may lead to hundreds. */
  readonly calls: number;
}

export interface SpecsSeen {
  /** Of the specs that the conversation knows; nothing where it never met any. */
  readonly known: string | undefined;
  /** Of the current specs; missing without any. */
  readonly now: string | undefined;
}

export type ReminderDecision =
  | { readonly due: false }
  | { readonly due: true; readonly reason: 'specs-changed' | 'turns' | 'forgotten' };

/**
 * Whether to remind an agent of the specs. Each reminder stays in its context and is paid for in every later call, so
 * it is given when the specs changed, after many turns, and after a compaction.
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
