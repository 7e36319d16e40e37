import type { ConversationRecord } from './conversation-record.js';

interface NewConversation {
  readonly conversation: string;
  readonly folder: string;
  readonly pid: number;
  /** After a clear the agent is the same: it is the conversation that it had. */
  readonly isCleared: boolean;
}

/**
 * The conversation that a new one in the same folder follows. One whose agent is still there, in another window or as
 * the one that started this agent, does not count: what it has open is its own business.
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
