import { type ConversationRecord, freshRecord, readRecord, recordName } from './conversation-record.js';
import type { HookPayload } from './hook-payload.js';
import type { HookWorld } from './hook-world.js';

/** The record of the conversation that a hook is about, seen now; a new one where there is none. */
export function takeRecord({ agent, files, agentPid, now }: HookWorld, payload: HookPayload): ConversationRecord {
  const known = readRecord(files, recordName(agent, payload.conversation));
  const fresh = freshRecord(agent, payload, { pid: agentPid, now: now() });
  if (known === undefined) return fresh;
  return { ...known, pid: agentPid, seenAt: fresh.seenAt, transcript: payload.transcript, folder: payload.folder };
}

/** Without it the next hook knows less; that is no reason to say nothing now. */
export function saveRecord({ agent, files, log }: HookWorld, record: ConversationRecord): void {
  try {
    files.write(recordName(agent, record.conversation), record);
  } catch (error) {
    log({ event: 'HOOK_FAILED', hook: 'record', error: String(error) });
  }
}
