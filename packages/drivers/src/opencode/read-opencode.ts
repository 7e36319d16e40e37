import type { SourceReading, SourceResult } from '../reading/transcript-source.js';
import { createOpencodeParser } from './create-opencode-parser.js';
import { readOpencodeConversation } from './read-conversation.js';
import { isOpencodeExport, readOpencodeExport } from './read-export.js';

/** opencode changes its records in place, so it is always read from the start. */
export async function readOpencode({
  path,
  kept,
  onStartOver,
  onEvents,
  signal,
}: SourceReading): Promise<SourceResult> {
  if (kept !== undefined) onStartOver?.();
  const parser = createOpencodeParser();
  const startedOver = kept !== undefined;
  if (!path.includes('#ses_') && (await isOpencodeExport(path))) {
    await readOpencodeExport({ path, parser, onEvents, ...(signal && { signal }) });
    return { kept: null, overlongLines: 0, startedOver, tally: parser.tally() };
  }
  const result = await readOpencodeConversation({ ...placeIn(path), parser, onEvents, ...(signal && { signal }) });
  if (result.outcome === 'not-readable') throw new Error(result.warning, { cause: result.cause });
  return { kept: null, overlongLines: 0, startedOver, tally: parser.tally() };
}

/** Without an id it is the conversation that was used last. */
function placeIn(path: string): { readonly path: string; readonly conversationId?: string } {
  const [, database, conversationId] = /^([\s\S]+)#(ses_\w+)$/.exec(path) ?? [];
  return database === undefined || conversationId === undefined ? { path } : { path: database, conversationId };
}
