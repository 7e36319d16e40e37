import { type FileHandle, open } from 'node:fs/promises';
import { keepPlace, openKeptPlace } from './kept-place.js';
import type { LineParser } from './line-parser.js';
import type { ReadPosition } from './line-splitter.js';
import { readLines, START } from './read-transcript.js';
import type { SourceReading, SourceResult } from './transcript-source.js';

/** Reads a transcript that grows at its end, from where the reading before stopped. */
export async function readGrowingFile(
  { path, kept: known, onStartOver, onEvents, lastBytes, signal, once = false }: SourceReading,
  createParser: (remembered?: unknown) => LineParser,
): Promise<SourceResult> {
  const file = await open(path, 'r');
  try {
    const kept = lastBytes === undefined ? known : undefined;
    const start = lastBytes === undefined ? START : await startOfLast(file, lastBytes);
    const place = kept === undefined ? undefined : await openKeptPlace(file, kept);
    const startedOver = kept !== undefined && place === undefined;
    if (startedOver) onStartOver?.();
    const parser = createParser(place?.memory);
    const result = await readLines(file, { parser, from: place?.position ?? start, onEvents, signal });
    const overlongLines = (place?.overlongLines ?? 0) + result.overlongLines;
    const next = () => ({ position: result.next, overlongLines, memory: parser.memory() });
    return { tally: parser.tally(), overlongLines, startedOver, kept: once ? null : await keepPlace(file, next()) };
  } finally {
    await file.close();
  }
}

async function startOfLast(file: FileHandle, bytes: number): Promise<ReadPosition> {
  const { size } = await file.stat();
  return size <= bytes ? START : { byteOffset: size - bytes, line: 1, isInLine: true };
}
