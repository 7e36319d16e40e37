import type { LineParser } from './line-parser.js';
import type { TranscriptSource } from './transcript-source.js';

/** Reads a file that only grows, with a parser that is loaded at the first reading. */
export const growingTranscript =
  (loadParser: () => Promise<(remembered?: unknown) => LineParser>): TranscriptSource['read'] =>
  async (reading) => {
    const [{ readGrowingFile }, createParser] = await Promise.all([import('./read-growing-file.js'), loadParser()]);
    return readGrowingFile(reading, createParser);
  };
