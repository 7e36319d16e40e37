import { open, readFile } from 'node:fs/promises';
import type { ConversationEvent, TranscriptParser } from '@devs/core';
import { listIn, objectIn, parseObject, textIn } from '../reading/json.js';
import { EXPORT } from './export-sign.js';

export interface ExportReading {
  readonly path: string;
  readonly parser: TranscriptParser;
  readonly onEvents: (events: readonly ConversationEvent[]) => void;
  readonly signal?: AbortSignal;
}

/** Whether a file is an export, and not opencode's database. */
export async function isOpencodeExport(path: string): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(LOOKED_AT_BYTES), 0, LOOKED_AT_BYTES, 0);
    return EXPORT.test(buffer.toString('utf8', 0, bytesRead));
  } finally {
    await file.close();
  }
}

const LOOKED_AT_BYTES = 4_096;

/** Reads an export as the records that the database would give, in the same order. A damaged one gives no events. */
export async function readOpencodeExport({ path, parser, onEvents, signal }: ExportReading): Promise<void> {
  const exported = parseObject(await readFile(path, { encoding: 'utf8', signal }));
  let records = 0;
  const tell = (record: unknown) => {
    signal?.throwIfAborted();
    records += 1;
    const events = parser.parseLine(JSON.stringify(record), { line: records, byteOffset: 0 });
    if (events.length > 0) onEvents(events);
  };
  if (exported === undefined) {
    parser.parseLine('not an export', { line: 1, byteOffset: 0 }); // counted as damaged
    return;
  }
  tell({ session: exported.info });
  for (const entry of listIn(exported.messages)) {
    const { info, parts } = objectIn(entry) ?? {};
    const message = objectIn(info);
    if (message === undefined) continue;
    tell({ id: textIn(message.id) ?? '', message });
    for (const part of listIn(parts)) tell({ id: textIn(objectIn(part)?.id) ?? '', message, part });
  }
}
