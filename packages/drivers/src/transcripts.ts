// Reads transcripts without the drivers, which take longer to load than a transcript takes to read.
import { acp } from './acp/acp.js';
import { AGENTS } from './agents.js';
import { detectSourceAmong } from './reading/detect-source.js';
import type { TranscriptSource } from './reading/transcript-source.js';

export { listBuiltinFolders } from './builtin/list-builtin-folders.js';
export { readLedger } from './reading/read-ledger.js';

/** The agents whose transcripts can be read. */
export const TRANSCRIPT_SOURCES: readonly TranscriptSource[] = [...AGENTS.map(({ transcripts }) => transcripts), acp];

/** Which of them wrote a transcript, from its first lines; nothing where none did. Rejects where it cannot be read. */
export const detectSource = (path: string): Promise<TranscriptSource | undefined> =>
  detectSourceAmong(TRANSCRIPT_SOURCES, path);
