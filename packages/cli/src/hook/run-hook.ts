import { saveRecord, takeRecord } from './conversation-record.js';
import { handoffRoom } from './handoff-room.js';
import type { HookPayload } from './hook-payload.js';
import type { HookDeps } from './hook-world.js';
import { onSessionStart } from './on-session-start.js';
import { isFresh, preparedName, readPrepared } from './prepared.js';
import { remind } from './remind.js';

/**
 * The agent stopped, is about to be compacted, or ends. Says nothing: brings what is kept up to date, in the background
 * where the agent has one, so that the hook that it waits for finds everything ready.
 */
async function onPause(world: HookDeps, { event, conversation, transcript }: HookPayload): Promise<void> {
  const { settings, agent, files } = world;
  if (!settings.compact && !settings.open) return;
  const handoffChars = settings.compact && event !== 'SessionEnd' ? handoffRoom(world, hasReminder(world)) : undefined;
  const prepared = readPrepared(files, preparedName(agent, conversation));
  const reader = event === 'SessionEnd' ? 'another' : 'same-agent';
  const isReady = prepared !== undefined && (handoffChars === undefined || prepared.handoff?.chars === handoffChars);
  if (isReady && isFresh(prepared, { transcript, agent, reader })) return;
  const { openChars } = settings;
  await world.keepLedger({ conversation, transcript, openChars, ...(handoffChars !== undefined && { handoffChars }) });
}

const hasReminder = ({ settings, readSpecs }: HookDeps): boolean =>
  settings.reminder && readSpecs().digest !== undefined;

const KEPT_DAYS = 14;
const DAY_MS = 24 * 60 * 60 * 1_000;

async function onEnd(world: HookDeps, payload: HookPayload): Promise<void> {
  saveRecord(world, takeRecord(world, payload));
  world.files.removeOlderThan(world.now() - KEPT_DAYS * DAY_MS);
  await onPause(world, payload);
}

/** What the agent is answered, as it is printed; nothing where there is nothing to say. May reject. */
export async function runHook(world: HookDeps, payload: HookPayload): Promise<string | undefined> {
  // A sub-agent got its instructions from its parent.
  if (!world.settings.enabled || payload.subAgent !== undefined) return undefined;
  const text = await textFor(world, payload);
  if (text === undefined) return undefined;
  return JSON.stringify({ hookSpecificOutput: { hookEventName: payload.event, additionalContext: text } });
}

/** Events that are not named are none of ours: agents have dozens, and get new ones. */
async function textFor(world: HookDeps, payload: HookPayload): Promise<string | undefined> {
  switch (payload.event) {
    case 'SessionStart':
      return onSessionStart(world, payload);
    case 'UserPromptSubmit':
      return onPrompt(world, payload);
    case 'Stop':
    case 'PreCompact':
      await onPause(world, payload);
      return undefined;
    case 'SessionEnd':
      await onEnd(world, payload);
      return undefined;
    default:
      return undefined;
  }
}

/** The user sent something: counts it, and says what the specs are where that is due. */
async function onPrompt(world: HookDeps, payload: HookPayload): Promise<string | undefined> {
  const taken = takeRecord(world, payload);
  const { record, text } = await remind(world, { ...taken, prompts: taken.prompts + 1 }, 'counting');
  saveRecord(world, record);
  return text;
}
