import type { HookDeps } from './hook-world.js';

/** Room of the reminder in the text after a compaction, with specs. */
export const REMINDER_CHARS = 2_200;

/** The same for the queue, with a store. */
export const RECORDS_CHARS = 1_800;

export const INTRODUCTION = 'devs kept this of the conversation before the compaction; it goes beside the summary.\n\n';
export const SEPARATOR = '\n\n';

/** Maximum length of the document, so that the agent accepts the whole text. */
export function handoffRoom({ settings, agent, hasStore }: HookDeps, hasReminder: boolean): number {
  const beside = [...(hasReminder ? [REMINDER_CHARS] : []), ...(hasStore ? [RECORDS_CHARS] : [])];
  const taken = beside.reduce((sum, chars) => sum + SEPARATOR.length + chars, INTRODUCTION.length);
  return Math.min(settings.budgetChars, agent.longestAnswerChars - taken);
}
