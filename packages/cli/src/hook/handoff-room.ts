import type { HookWorld } from './hook-world.js';

/** What the reminder takes of the text after a compaction, where there are specs. */
export const REMINDER_CHARS = 2_200;

/** The same for what the queue says, where the project has a store. */
export const RECORDS_CHARS = 1_800;

export const INTRODUCTION = 'devs kept this of the conversation before the compaction; it goes beside the summary.\n\n';
export const SEPARATOR = '\n\n';

/** How long the document may be, so that with what stands around it the agent still takes the whole. */
export function handoffRoom({ settings, agent, hasStore }: HookWorld, hasReminder: boolean): number {
  const beside = [...(hasReminder ? [REMINDER_CHARS] : []), ...(hasStore ? [RECORDS_CHARS] : [])];
  const taken = beside.reduce((sum, chars) => sum + SEPARATOR.length + chars, INTRODUCTION.length);
  return Math.min(settings.budgetChars, agent.longestAnswerChars - taken);
}
