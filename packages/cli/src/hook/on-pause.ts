import { handoffRoom } from './handoff-room.js';
import type { HookPayload } from './hook-payload.js';
import type { HookWorld } from './hook-world.js';
import { isFresh, preparedName, readPrepared } from './prepared.js';
import { saveRecord, takeRecord } from './take-record.js';

/**
 * The agent stopped, is about to be compacted, or ends. Says nothing: brings what is kept up to date, in the background
 * where the agent has one, so that the hook that it waits for finds everything ready.
 */
export async function onPause(world: HookWorld, { event, conversation, transcript }: HookPayload): Promise<void> {
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

const hasReminder = ({ settings, readSpecs }: HookWorld): boolean =>
  settings.reminder && readSpecs().digest !== undefined;

const KEPT_DAYS = 14;
const DAY_MS = 24 * 60 * 60 * 1_000;

export async function onEnd(world: HookWorld, payload: HookPayload): Promise<void> {
  saveRecord(world, takeRecord(world, payload));
  world.files.removeOlderThan(world.now() - KEPT_DAYS * DAY_MS);
  await onPause(world, payload);
}
