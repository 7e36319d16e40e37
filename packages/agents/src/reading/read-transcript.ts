import { open } from 'node:fs/promises';
import type { ConversationEvent, TranscriptParser } from '@devs/core';
import { createLineSplitter } from './line-splitter.js';

/** Up to where a transcript was read: reading goes on from here when the file has grown. */
export interface ReadPosition {
  readonly byteOffset: number;
  readonly line: number;
}

export interface TranscriptReading {
  readonly path: string;
  readonly parser: TranscriptParser;
  readonly from?: ReadPosition;
  readonly onEvents: (events: readonly ConversationEvent[]) => void;
  readonly signal?: AbortSignal;
}

export interface ReadResult {
  /** Where the next reading begins. A line that is still being written is not behind it. */
  readonly next: ReadPosition;
  /** Lines too long to be read: they are left out, and counted here. */
  readonly overlongLines: number;
  /** The file became shorter than where reading was to begin: it is another one now, and was read from its start. */
  readonly startedOver: boolean;
}

/**
 * Reads what a transcript holds beyond a position, line by line, in memory that does not grow with the file.
 *
 * Rejects where the file cannot be read; whatever is in it never makes it reject.
 */
export async function readTranscript({ path, parser, from, onEvents, signal }: TranscriptReading): Promise<ReadResult> {
  const file = await open(path, 'r');
  try {
    const start = from ?? { byteOffset: 0, line: 1 };
    const startedOver = (await file.stat()).size < start.byteOffset;
    const splitter = createLineSplitter(startedOver ? { byteOffset: 0, line: 1 } : start, (line, position) => {
      const events = parser.parseLine(line, position);
      if (events.length > 0) onEvents(events);
    });
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    for (let at = splitter.position().byteOffset; ; ) {
      signal?.throwIfAborted();
      const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, at);
      if (bytesRead === 0) break;
      splitter.add(chunk.subarray(0, bytesRead));
      at += bytesRead;
    }
    splitter.end();
    return { next: splitter.position(), overlongLines: splitter.overlongLines(), startedOver };
  } finally {
    await file.close();
  }
}

const CHUNK_BYTES = 1 << 20;
