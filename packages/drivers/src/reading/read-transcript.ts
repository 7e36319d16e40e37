import { type FileHandle, open } from 'node:fs/promises';
import type { ConversationEvent } from '@devs/core';
import type { LineParser } from './line-parser.js';
import { createLineSplitter, type ReadPosition } from './line-splitter.js';

export interface TranscriptReading {
  readonly path: string;
  readonly parser: LineParser;
  readonly from?: ReadPosition;
  readonly onEvents: (events: readonly ConversationEvent[]) => void;
  readonly signal?: AbortSignal | undefined;
}

export interface ReadResult {
  /** Where the next reading begins. A line that is still being written is not behind it. */
  readonly next: ReadPosition;
  /** Lines too long to be read: they are left out, and counted here. */
  readonly overlongLines: number;
  /** The file became shorter than the start position: it was replaced, and read from its start. */
  readonly startedOver: boolean;
}

/**
 * Reads a transcript from a position on, line by line, in constant memory.
 *
 * Rejects if the file is unreadable, never because of its content.
 */
export async function readTranscript({ path, from, ...reading }: TranscriptReading): Promise<ReadResult> {
  const file = await open(path, 'r');
  try {
    const startedOver = from !== undefined && (await file.stat()).size < from.byteOffset;
    return { ...(await readLines(file, { ...reading, from: startedOver ? START : (from ?? START) })), startedOver };
  } finally {
    await file.close();
  }
}

export const START: ReadPosition = { byteOffset: 0, line: 1 };

/** The same with a file that is open. */
export async function readLines(
  file: FileHandle,
  { parser, from, onEvents, signal }: Omit<TranscriptReading, 'path'> & { readonly from: ReadPosition },
): Promise<Omit<ReadResult, 'startedOver'>> {
  const parse = parser.parseBytes ?? ((line, position) => parser.parseLine(line.toString('utf8'), position));
  const splitter = createLineSplitter(from, (line, position) => {
    const events = parse(line, position);
    if (events.length > 0) onEvents(events);
  });
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  for (let at = from.byteOffset; ; ) {
    signal?.throwIfAborted();
    const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, at);
    if (bytesRead === 0) break;
    splitter.add(chunk.subarray(0, bytesRead));
    at += bytesRead;
  }
  splitter.end();
  return { next: splitter.position(), overlongLines: splitter.overlongLines() };
}

const CHUNK_BYTES = 1 << 20;
