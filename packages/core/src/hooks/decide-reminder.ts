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
  const specsChanged = specs.known !== undefined && specs.known !== specs.now;
  const reason = reminderDue({ specsChanged, turnsSinceLast: Math.max(since.prompts, since.calls) }, everyTurns);
  return reason === undefined ? NOT_DUE : { due: true, reason };
}

/** Why an agent that knows the specs is due for a reminder of them. */
export function reminderDue(
  { specsChanged, turnsSinceLast }: { readonly specsChanged: boolean; readonly turnsSinceLast: number },
  everyTurns: number,
): 'specs-changed' | 'turns' | undefined {
  if (specsChanged) return 'specs-changed';
  return turnsSinceLast >= everyTurns ? 'turns' : undefined;
}

const NOT_DUE = { due: false } as const;
