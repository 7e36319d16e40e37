import { decideReminder, type ReminderCount } from '@devs/core/hooks';
import type { ConversationRecord } from './conversation-record.js';
import { REMINDER_CHARS } from './handoff-room.js';
import type { HookDeps } from './hook-world.js';
import { preparedName, readPrepared } from './prepared.js';

export interface Reminded {
  readonly record: ConversationRecord;
  /** Nothing where no reminder is due. */
  readonly text: string | undefined;
}

/** Each of the two summaries; after a compaction they share the room with the ledger. */
const BUDGET_TOKENS = 600;
const SMALL_BUDGET_TOKENS = 250;

/** The specs, where they are due, and the record that knows about it. */
export async function remind(
  world: HookDeps,
  record: ConversationRecord,
  how: 'counting' | 'forgotten' | 'forgotten-and-short',
): Promise<Reminded> {
  const { settings, readSpecs, renderReminder, log } = world;
  if (!settings.reminder) return { record, text: undefined };
  const specs = readSpecs();
  const counted = readPrepared(world.files, preparedName(world.agent, record.conversation))?.calls ?? 0;
  // Hooks in the background count calls, maybe late; each earlier prompt led to one call at least.
  const calls = Math.max(counted, record.prompts - 1);
  const since: ReminderCount = {
    prompts: record.prompts - record.promptsAtReminder,
    calls: calls - record.callsAtReminder,
  };
  const decision = decideReminder(
    { known: record.specs, now: specs.digest },
    how === 'counting' ? since : 'forgotten',
    settings.reminderTurns,
  );
  if (!decision.due || specs.digest === undefined) return { record: withSpecs(record, specs.digest), text: undefined };
  const isShort = how === 'forgotten-and-short';
  const whole = await renderReminder(specs, isShort ? SMALL_BUDGET_TOKENS : BUDGET_TOKENS);
  const text = isShort ? whole.slice(0, REMINDER_CHARS) : whole;
  const reminderChars = record.reminderChars + text.length;
  const { conversation } = record;
  log({
    event: 'CONTEXT_REFRESH_INJECTED',
    conversation,
    reason: decision.reason,
    chars: text.length,
    totalChars: reminderChars,
  });
  return {
    record: {
      ...withSpecs(record, specs.digest),
      promptsAtReminder: record.prompts,
      callsAtReminder: calls,
      reminderChars,
    },
    text,
  };
}

function withSpecs({ specs: _, ...record }: ConversationRecord, digest: string | undefined): ConversationRecord {
  return digest === undefined ? record : { ...record, specs: digest };
}
