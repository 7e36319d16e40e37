import { createHash } from 'node:crypto';
import type { HookAgent } from './hook-agent.js';
import type { HookFiles } from './hook-files.js';
import type { HookPayload } from './hook-payload.js';
import type { HookDeps } from './hook-world.js';

/** The hooks' memory of one conversation. Written only by hooks that the agent waits for, one after the other. */
export interface ConversationRecord {
  readonly version: 1;
  readonly agent: string;
  readonly conversation: string;
  readonly folder: string;
  readonly transcript: string;
  /** Of the agent. */
  readonly pid: number;
  readonly seenAt: number;
  readonly prompts: number;
  /** As counted when the agent was last reminded. */
  readonly promptsAtReminder: number;
  readonly callsAtReminder: number;
  /** Of the specs that the agent knows. */
  readonly specs?: string;
  readonly reminderChars: number;
}

/** Files of one conversation begin with the same name; what the id holds must not lead out of the folder. */
export const fileNameOf = ({ name }: Pick<HookAgent, 'name'>, conversation: string): string =>
  /^[\w-]{1,80}$/.test(conversation)
    ? `${name}-${conversation}`
    : `${name}-${createHash('sha256').update(conversation).digest('hex').slice(0, 32)}`;

const RECORD_END = '.record.json';

const recordName = (agent: Pick<HookAgent, 'name'>, conversation: string): string =>
  `${fileNameOf(agent, conversation)}${RECORD_END}`;

function freshRecord(
  agent: HookAgent,
  { conversation, folder, transcript }: HookPayload,
  { pid, now }: { readonly pid: number; readonly now: number },
): ConversationRecord {
  return {
    version: 1,
    agent: agent.name,
    conversation,
    folder,
    transcript,
    pid,
    seenAt: now,
    prompts: 0,
    promptsAtReminder: 0,
    callsAtReminder: 0,
    reminderChars: 0,
  };
}

function readRecord(files: HookFiles, name: string): ConversationRecord | undefined {
  const value = files.read(name);
  return isRecord(value) ? value : undefined;
}

export const readRecords = (files: HookFiles): readonly ConversationRecord[] =>
  files
    .list()
    .filter((name) => name.endsWith(RECORD_END))
    .flatMap((name) => readRecord(files, name) ?? []);

const NUMBERS = ['pid', 'seenAt', 'prompts', 'promptsAtReminder', 'callsAtReminder', 'reminderChars'];
const TEXTS = ['agent', 'conversation', 'folder', 'transcript'];

function isRecord(value: unknown): value is ConversationRecord {
  if (typeof value !== 'object' || value === null) return false;
  const fields = value as Record<string, unknown>;
  return (
    fields.version === 1 &&
    NUMBERS.every((name) => Number.isFinite(fields[name])) &&
    TEXTS.every((name) => typeof fields[name] === 'string')
  );
}

/** The record of the conversation that a hook is about, seen now; a new one where there is none. */
export function takeRecord({ agent, files, agentPid, now }: HookDeps, payload: HookPayload): ConversationRecord {
  const known = readRecord(files, recordName(agent, payload.conversation));
  const fresh = freshRecord(agent, payload, { pid: agentPid, now: now() });
  if (known === undefined) return fresh;
  return { ...known, pid: agentPid, seenAt: fresh.seenAt, transcript: payload.transcript, folder: payload.folder };
}

/** Without it the next hook knows less; that is no reason to say nothing now. */
export function saveRecord({ agent, files, log }: HookDeps, record: ConversationRecord): void {
  try {
    files.write(recordName(agent, record.conversation), record);
  } catch (error) {
    log({ event: 'HOOK_FAILED', hook: 'record', error: String(error) });
  }
}
