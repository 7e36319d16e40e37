import { open, readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { objectIn, parseObject, textIn } from '../reading/json.js';
import type { FoundConversation, UserPlace } from '../reading/transcript-source.js';

/** The newest conversation of a folder that Codex keeps, or nothing where it was never used there. */
export async function findCodexConversation(
  folder: string,
  { home, env }: UserPlace,
): Promise<FoundConversation | undefined> {
  const sessions = join(env.CODEX_HOME || join(home, '.codex'), 'sessions');
  const names = await readdir(sessions, { recursive: true }).catch(() => []);
  const found = await Promise.all(names.filter(isRollout).map((name) => look(join(sessions, name))));
  // A conversation that is resumed goes on in its old file, so the date in the name does not tell the newest.
  const newestFirst = found.filter((file) => file !== undefined).sort((a, b) => b.modifiedMs - a.modifiedMs);
  for (const file of newestFirst.slice(0, MOST_OPENED)) {
    if (isConversationOf(await firstLine(file.path), folder)) return file;
  }
  return undefined;
}

const MOST_OPENED = 1_000;
const MOST_BYTES = 1 << 20;

const isRollout = (name: string) => /(?:^|[/\\])rollout-[^/\\]+\.jsonl$/.test(name);

/** Pure: whether the first line of a file begins a conversation of the user in this folder. */
function isConversationOf(firstLine: string, folder: string): boolean {
  const record = parseObject(firstLine);
  const meta = objectIn(record?.payload);
  const place = record?.type === 'session_meta' ? textIn(meta?.cwd) : undefined;
  const isSubAgent = objectIn(meta?.source)?.subagent !== undefined || meta?.thread_source === 'subagent';
  return place !== undefined && resolve(place) === resolve(folder) && !isSubAgent;
}

async function look(path: string) {
  try {
    const { size, mtimeMs } = await stat(path);
    return size > 0 ? { path, modifiedMs: mtimeMs } : undefined;
  } catch {
    return undefined; // gone in the meantime
  }
}

/** It holds the model's instructions too, and may be long. */
async function firstLine(path: string): Promise<string> {
  try {
    const file = await open(path, 'r');
    try {
      const parts: Buffer[] = [];
      for (let at = 0; at < MOST_BYTES; ) {
        const { bytesRead, buffer } = await file.read(Buffer.alloc(CHUNK_BYTES), 0, CHUNK_BYTES, at);
        const end = buffer.subarray(0, bytesRead).indexOf(0x0a);
        parts.push(buffer.subarray(0, end === -1 ? bytesRead : end));
        if (end !== -1 || bytesRead === 0) break;
        at += bytesRead;
      }
      return Buffer.concat(parts).toString('utf8');
    } finally {
      await file.close();
    }
  } catch {
    return '';
  }
}

const CHUNK_BYTES = 1 << 16;
