import type { ConversationEvent, JsonObject, TranscriptParser } from '@devs/core';
import { parseObject } from '../reading/json.js';
import type { ReadPosition } from '../reading/line-splitter.js';
import { readTranscript } from '../reading/read-transcript.js';

/** What of a transcript is worth knowing while it is written. */
export interface TranscriptKind {
  readonly createParser: () => TranscriptParser;
  /** Whether the neutral events leave out something relevant in this line. Cheap: called for every line. */
  readonly isRelevant: (line: string) => boolean;
}

export interface TailListener {
  /** In the order of the lines; of one line the record first. */
  onRecord(record: JsonObject): void;
  onEvents(events: readonly ConversationEvent[]): void;
  /** The file was replaced: everything reported from it is invalid. */
  onStartOver(): void;
}

export interface TranscriptTail {
  readonly path: string;
  /** Reports lines written since the last time; returns whether the file exists. Rejects if it is unreadable. */
  read(listener: TailListener, signal?: AbortSignal): Promise<boolean>;
}

/** Follows one transcript from its beginning, in memory that does not grow with it. */
export function createTranscriptTail(path: string, { createParser, isRelevant }: TranscriptKind): TranscriptTail {
  let parser = createParser();
  let from: ReadPosition | undefined;
  const read = async (listener: TailListener, signal?: AbortSignal): Promise<boolean> => {
    const listening: TranscriptParser = {
      tally: parser.tally,
      memory: parser.memory,
      parseLine(line, position) {
        const record = isRelevant(line) ? parseObject(line) : undefined;
        if (record !== undefined) listener.onRecord(record);
        return parser.parseLine(line, position);
      },
    };
    const start = from === undefined ? {} : { from };
    const onEvents = (events: readonly ConversationEvent[]) => listener.onEvents(events);
    const result = await readTranscript({ path, parser: listening, ...start, onEvents, signal });
    from = result.next;
    if (!result.startedOver) return true;
    // The parser's memory belongs to the old file.
    parser = createParser();
    from = undefined;
    listener.onStartOver();
    return read(listener, signal);
  };
  return {
    path,
    read: (listener, signal) =>
      read(listener, signal).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return false;
        throw error;
      }),
  };
}
