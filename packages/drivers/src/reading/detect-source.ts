import { open } from 'node:fs/promises';
import type { JsonObject } from '@devs/core';
import { EXPORT } from '../opencode/read-export.js';
import { listIn, objectIn, parseObject, textIn } from './json.js';
import type { TranscriptSource } from './transcript-source.js';

/**
 * Which agent wrote a transcript, from its first lines; nothing where none of those we know did.
 *
 * Rejects where the file cannot be read.
 */
export async function detectSourceAmong(
  sources: readonly TranscriptSource[],
  path: string,
): Promise<TranscriptSource | undefined> {
  const start = await startOf(path.replace(/#ses_\w+$/, ''));
  const agent = agentOf(start);
  return sources.find((source) => source.agent === agent);
}

/** Pure: which agent writes files that begin like this. */
export function agentOf(start: Buffer): string | undefined {
  if (start.toString('latin1', 0, DATABASE.length) === DATABASE) return 'opencode';
  if (EXPORT.test(start.toString('utf8', 0, EXPORT_BYTES))) return 'opencode';
  const records = start
    .toString('utf8')
    .split('\n', MOST_LINES)
    .map(parseObject)
    .filter((record) => record !== undefined);
  return Object.entries(SIGNS).find(([, isSign]) => records.some(isSign))?.[0];
}

const DATABASE = 'SQLite format 3';
const EXPORT_BYTES = 4_096;
const MOST_LINES = 100;

/** What only a record of this agent looks like. */
const SIGNS: Readonly<Record<string, (record: JsonObject) => boolean>> = {
  builtin: ({ type, agentVersion, permissions, window }) =>
    type === 'conversation' &&
    textIn(agentVersion) !== undefined &&
    textIn(permissions) !== undefined &&
    window !== undefined,
  codex: ({ type, payload }) =>
    /^(?:session_meta|turn_context|response_item|event_msg)$/.test(String(type)) && isObject(payload),
  gemini: ({ type, sessionId, projectHash, content, $set }) =>
    (textIn(sessionId) !== undefined && textIn(projectHash) !== undefined) ||
    listIn(objectIn($set)?.messages).length > 0 ||
    ((type === 'gemini' || type === 'user') && content !== undefined),
  claude: ({ type, message, sessionId, leafUuid }) =>
    ((type === 'user' || type === 'assistant') && isObject(message)) ||
    (typeof type === 'string' && (textIn(sessionId) !== undefined || textIn(leafUuid) !== undefined)),
};

const isObject = (value: unknown) => objectIn(value) !== undefined;

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
