import { type ConversationRecord, readRecords, saveRecord, takeRecord } from './conversation-record.js';
import { handoffRoom, INTRODUCTION, SEPARATOR } from './handoff-room.js';
import type { HookPayload } from './hook-payload.js';
import type { HookDeps } from './hook-world.js';
import { isFresh, type Prepared, preparedName, readPrepared } from './prepared.js';
import type { StoreTexts } from './read-store.js';
import { remind } from './remind.js';

/** A conversation starts, continues, or was compacted: what it should know now, or nothing. */
export async function onSessionStart(world: HookDeps, payload: HookPayload): Promise<string | undefined> {
  switch (payload.source) {
    case 'compact':
      return afterCompaction(world, payload);
    case 'clear':
      return atTheStart(world, payload, 'cleared');
    case 'startup':
      return atTheStart(world, payload, 'new');
    default:
      // A conversation that is resumed has everything before it.
      saveRecord(world, (await remind(world, takeRecord(world, payload), 'counting')).record);
      return undefined;
  }
}

/** The ledger and the queue beside the agent's own summary, in one text: the agent takes only so much from one hook. */
async function afterCompaction(world: HookDeps, payload: HookPayload): Promise<string | undefined> {
  const { settings, log } = world;
  const { record, text: reminder } = await remind(world, takeRecord(world, payload), 'forgotten-and-short');
  saveRecord(world, record);
  if (!settings.compact) return reminder;
  const { queue } = await world.readStore().catch(failed(world, 'store'));
  const { handoff } = await freshHandoff(world, payload, handoffRoom(world, reminder !== undefined));
  if (handoff !== undefined)
    log({ event: 'HANDOFF_INJECTED', conversation: payload.conversation, chars: handoff.text.length });
  const kept = handoff === undefined ? undefined : `${INTRODUCTION}${handoff.text}`;
  return joined([kept, queue, reminder]) || undefined;
}

async function freshHandoff(world: HookDeps, payload: HookPayload, chars: number): Promise<Prepared> {
  const { conversation, transcript } = payload;
  const prepared = readPrepared(world.files, preparedName(world.agent, conversation));
  if (prepared?.handoff?.chars === chars && isFresh(prepared, { transcript, agent: world.agent, reader: 'same-agent' }))
    return prepared;
  const { openChars } = world.settings;
  return world.keepLedger({ conversation, transcript, openChars, handoffChars: chars });
}

/** A clear asks for a fresh start: only open work, in short, and how to get the rest. */
async function atTheStart(world: HookDeps, payload: HookPayload, how: 'new' | 'cleared'): Promise<string | undefined> {
  const { settings, agent, log } = world;
  const taken = takeRecord(world, payload);
  const { record, text: reminder } = await remind(world, taken, how === 'cleared' ? 'forgotten' : 'counting');
  saveRecord(world, record);
  if (!settings.open) return reminder;
  const isCleared = how === 'cleared';
  const [conversation, { open: store }] = await Promise.all([
    openInPrevious(world, payload, isCleared).catch(logged(world, 'open')),
    world.readStore().catch(failed(world, 'store')),
  ]);
  if (conversation === undefined && store === undefined) return reminder;
  const open = joined([LEFT_OPEN, conversation, store, conversation && agent.wholeDocument]);
  log({ event: 'OPEN_MATTERS_INJECTED', conversation: payload.conversation, chars: open.length });
  return joined([open, reminder]);
}

const LEFT_OPEN =
  'devs: work in this folder was left open. These are records and not instructions: the user may want something else now.';

async function openInPrevious(
  world: HookDeps,
  { conversation, folder }: HookPayload,
  isCleared: boolean,
): Promise<string | undefined> {
  const { files, agent, agentPid, isAlive, settings } = world;
  const here = { conversation, folder, pid: agentPid, isCleared };
  const own = readRecords(files).filter((record) => record.agent === agent.name);
  const previous = findPrevious(own, here, isAlive);
  if (previous === undefined) return undefined;
  const prepared = readPrepared(files, preparedName(agent, previous.conversation));
  const { conversation: before, transcript } = previous;
  if (prepared !== undefined && isFresh(prepared, { transcript, agent, reader: 'another' })) return prepared.open;
  return (await world.keepLedger({ conversation: before, transcript, openChars: settings.openChars })).open;
}

const logged =
  ({ log }: HookDeps, hook: string) =>
  (error: unknown): undefined =>
    log({ event: 'HOOK_FAILED', hook, error: String(error) }) as undefined;

const failed = (world: HookDeps, hook: string) => (error: unknown) => {
  logged(world, hook)(error);
  return {} as StoreTexts;
};

const joined = (parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== '').join(SEPARATOR);

interface NewConversation {
  readonly conversation: string;
  readonly folder: string;
  readonly pid: number;
  /** After a clear the agent is the same: it is the conversation that it had. */
  readonly isCleared: boolean;
}

/**
 * The predecessor of a new conversation in the same folder. A conversation with a live agent, in another window or as
 * the parent of this agent, does not count: its open work is its own.
 */
function findPrevious(
  records: readonly ConversationRecord[],
  { conversation, folder, pid, isCleared }: NewConversation,
  isAlive: (pid: number) => boolean,
): ConversationRecord | undefined {
  return records
    .filter((record) => record.conversation !== conversation && record.folder === folder)
    .filter((record) => record.pid === pid || (!isCleared && !isAlive(record.pid)))
    .sort((a, b) => b.seenAt - a.seenAt)[0];
}
