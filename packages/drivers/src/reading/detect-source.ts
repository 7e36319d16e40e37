import { open } from 'node:fs/promises';
import { parseObject } from './json.js';
import type { TranscriptSource } from './transcript-source.js';

/** Recognises the agent of a transcript by its first lines. Rejects if the file is unreadable. */
export async function detectSourceAmong(
  sources: readonly TranscriptSource[],
  path: string,
): Promise<TranscriptSource | undefined> {
  return sourceOf(sources, await startOf(path.replace(/#ses_\w+$/, '')));
}

/** Pure: which agent writes files that begin like this. Claude Code is listed first, and its records are the least special. */
export function sourceOf(sources: readonly TranscriptSource[], bytes: Buffer): TranscriptSource | undefined {
  const records = firstLines(bytes)
    .split('\n', MAX_LINES)
    .map(parseObject)
    .filter((record) => record !== undefined);
  return sources.findLast(({ isOwn }) => isOwn({ bytes, records }));
}

const MAX_LINES = 100;

/** Without the rest, which would only be decoded. */
function firstLines(bytes: Buffer): string {
  let end = -1;
  for (let lines = 0; lines < MAX_LINES; lines++) {
    end = bytes.indexOf('\n', end + 1);
    if (end === -1) return bytes.toString('utf8');
  }
  return bytes.toString('utf8', 0, end);
}

/** The first line of some holds all of the model's instructions. */
const LOOKED_AT_BYTES = 1 << 20;

async function startOf(path: string): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const buffer = Buffer.alloc(LOOKED_AT_BYTES);
    let length = 0;
    for (let bytesRead = -1; bytesRead !== 0 && length < LOOKED_AT_BYTES; length += bytesRead) {
      ({ bytesRead } = await file.read(buffer, length, LOOKED_AT_BYTES - length, length));
    }
    return buffer.subarray(0, length);
  } finally {
    await file.close();
  }
}
