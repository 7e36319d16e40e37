import { ApiError } from '@devs/api';
import { type ConversationEntry, conversationEntry } from '@devs/core';
import type { ReadConversation } from '@devs/server';

type Drivers = Pick<typeof import('@devs/drivers'), 'TRANSCRIPT_SOURCES' | 'detectSource'>;

/** Reads the records of every agent that devs can read, for people who look at a conversation. */
export const createConversationReader =
  (loadAgents: () => Promise<Drivers>): ReadConversation =>
  async ({ agent, path }, kept) => {
    const { TRANSCRIPT_SOURCES, detectSource } = await loadAgents();
    // An agent of the user's own is known by what its record looks like.
    const source =
      TRANSCRIPT_SOURCES.find((one) => one.agent === agent) ?? (await detectSource(path).catch(() => undefined));
    if (source === undefined) throw new ApiError('unavailable', `devs cannot read the records of ${agent}`);
    const entries: ConversationEntry[] = [];
    const read = await source
      .read({
        path,
        kept,
        onEvents(events) {
          for (const event of events) {
            const entry = conversationEntry(event);
            if (entry !== undefined) entries.push(entry);
          }
        },
      })
      .catch((error: unknown) => {
        throw new ApiError('unavailable', `the record of the conversation cannot be read: ${path}`, { cause: error });
      });
    return { entries, kept: read.kept, startedOver: read.startedOver };
  };
