import { stat } from 'node:fs/promises';
import type { TranscriptParser } from '@devs/core';
import type { TailListener, TranscriptTail } from '../../driving/transcript-tail.js';
import { parseObject } from '../../reading/json.js';
import { createOpencodeParser } from '../create-opencode-parser.js';
import { type OpencodePosition, readOpencodeConversation } from '../read-conversation.js';

export const conversationPath = (database: string, conversationId: string): string => `${database}#${conversationId}`;

/** Follows one conversation in opencode's database, which is opened only when it has changed. */
export function createOpencodeTail(path: string): TranscriptTail {
  const [, database = path, conversationId = ''] = /^([\s\S]+)#(ses_\w+)$/.exec(path) ?? [];
  const parser = createOpencodeParser();
  let from: OpencodePosition | undefined;
  let readAt = '';
  return {
    path,
    async read(listener, signal) {
      const now = await changedAt(database);
      if (now === readAt) return now !== '';
      const result = await readOpencodeConversation({
        path: database,
        conversationId,
        parser: telling(parser, listener),
        ...(from === undefined ? {} : { from }),
        onEvents: (events) => listener.onEvents(events),
        ...(signal === undefined ? {} : { signal }),
      });
      if (result.outcome === 'not-readable') throw new Error(result.warning, { cause: result.cause });
      from = result.next;
      readAt = now;
      return true;
    },
  };
}

const telling = (parser: TranscriptParser, { onRecord }: TailListener): TranscriptParser => ({
  ...parser,
  parseLine(line, position) {
    const record = parseObject(line);
    if (record !== undefined) onRecord(record);
    return parser.parseLine(line, position);
  },
});

/** Writers add to the log beside the database, and seldom to the database. */
async function changedAt(database: string): Promise<string> {
  const files = await Promise.all([database, `${database}-wal`].map((file) => stat(file).catch(() => undefined)));
  return files
    .map((file) => (file === undefined ? '' : `${file.mtimeMs} ${file.size}`))
    .join(' ')
    .trim();
}
