import type { ConversationRecord } from './conversation-record.js';

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
export function findPrevious(
  records: readonly ConversationRecord[],
  { conversation, folder, pid, isCleared }: NewConversation,
  isAlive: (pid: number) => boolean,
): ConversationRecord | undefined {
  return records
    .filter((record) => record.conversation !== conversation && record.folder === folder)
    .filter((record) => record.pid === pid || (!isCleared && !isAlive(record.pid)))
    .sort((a, b) => b.seenAt - a.seenAt)[0];
}
