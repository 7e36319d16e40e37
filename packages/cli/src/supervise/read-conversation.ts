import { stat } from 'node:fs/promises';
import { ApiError } from '@devs/api';
import { type ConversationEntry, conversationEntry } from '@devs/core';
import type { ReadConversation } from '@devs/server';

/** An agent tells of its record before it writes it, and may remove it later: neither is an error of who reads. */
const isEmpty = (path: string): Promise<boolean> =>
  stat(path.replace(/#ses_\w+$/, '')).then(
    (found) => found.isFile() && found.size === 0,
    (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
  );

type Drivers = Pick<typeof import('@devs/drivers'), 'TRANSCRIPT_SOURCES' | 'detectSource'>;

/** Reads the records of every agent that devs can read, for people who look at a conversation. */
export const createConversationReader =
  (loadAgents: () => Promise<Drivers>): ReadConversation =>
  async ({ agent, path }, kept) => {
    if (await isEmpty(path)) return { entries: [], kept: null, startedOver: true };
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
