import { open, readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { objectIn, parseObject, textIn } from '../reading/json.js';
import {
  type FoundConversation,
  newestFirst,
  type UserDirs,
  type WantedConversations,
} from '../reading/transcript-source.js';

/** The conversations that Codex keeps of some folders, the newest first. */
export async function listCodexConversations(
  { folders, limit = Number.POSITIVE_INFINITY }: WantedConversations,
  { home, env }: UserDirs,
): Promise<readonly FoundConversation[]> {
  const sessions = join(env.CODEX_HOME || join(home, '.codex'), 'sessions');
  const names = await readdir(sessions, { recursive: true }).catch(() => []);
  const found = await Promise.all(names.filter(isRollout).map((name) => look(join(sessions, name))));
  // A resumed conversation continues in its old file, so the date in the name does not identify the newest.
  const newest = found.filter((file) => file !== undefined).sort(newestFirst);
  const wanted = new Set(folders.map((folder) => resolve(folder)));
  const ours: FoundConversation[] = [];
  for (const file of newest.slice(0, MAX_OPENED)) {
    if (ours.length >= limit) break;
    if (isConversationIn(await firstLine(file.path), wanted)) ours.push(file);
  }
  return ours;
}

const MAX_OPENED = 1_000;
const MAX_BYTES = 1 << 20;

const isRollout = (name: string) => /(?:^|[/\\])rollout-[^/\\]+\.jsonl$/.test(name);

/** Pure: whether the first line of a file begins a conversation of the user in one of these folders. */
function isConversationIn(firstLine: string, folders: ReadonlySet<string>): boolean {
  const record = parseObject(firstLine);
  const meta = objectIn(record?.payload);
  const place = record?.type === 'session_meta' ? textIn(meta?.cwd) : undefined;
  const isSubAgent = objectIn(meta?.source)?.subagent !== undefined || meta?.thread_source === 'subagent';
  return place !== undefined && folders.has(resolve(place)) && !isSubAgent;
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
      for (let at = 0; at < MAX_BYTES; ) {
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
