import type { HookWorld } from './hook-world.js';

/** What the reminder takes of the text after a compaction, where there are specs. */
export const REMINDER_CHARS = 2_200;

export const INTRODUCTION = 'devs kept this of the conversation before the compaction; it goes beside the summary.\n\n';
export const SEPARATOR = '\n\n';

/** How long the document may be, so that with what stands around it the agent still takes the whole. */
export function handoffRoom({ settings, agent }: HookWorld, hasReminder: boolean): number {
  const taken = INTRODUCTION.length + (hasReminder ? SEPARATOR.length + REMINDER_CHARS : 0);
  return Math.min(settings.budgetChars, agent.longestAnswerChars - taken);
}
