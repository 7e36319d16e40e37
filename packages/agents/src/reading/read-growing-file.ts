import { open } from 'node:fs/promises';
import { keepPlace, openKeptPlace } from './kept-place.js';
import type { LineParser } from './line-parser.js';
import { readLines, START } from './read-transcript.js';
import type { SourceReading, SourceResult } from './transcript-source.js';

/** Reads a transcript that grows at its end, from where the reading before stopped. */
export async function readGrowingFile(
  { path, kept, onStartOver, onEvents, signal }: SourceReading,
  createParser: (remembered?: unknown) => LineParser,
): Promise<SourceResult> {
  const file = await open(path, 'r');
  try {
    const place = kept === undefined ? undefined : await openKeptPlace(file, kept);
    const startedOver = kept !== undefined && place === undefined;
    if (startedOver) onStartOver?.();
    const parser = createParser(place?.memory);
    const result = await readLines(file, { parser, from: place?.position ?? START, onEvents, signal });
    const overlongLines = (place?.overlongLines ?? 0) + result.overlongLines;
    const next = { position: result.next, overlongLines, memory: parser.memory() };
    return { tally: parser.tally(), overlongLines, startedOver, kept: await keepPlace(file, next) };
  } finally {
    await file.close();
  }
}
