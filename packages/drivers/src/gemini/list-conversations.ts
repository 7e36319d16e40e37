import { createHash } from 'node:crypto';
import { open, readdir, readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { objectIn, parseObject } from '../reading/json.js';
import {
  type FoundConversation,
  newestFirst,
  type UserDirs,
  type WantedConversations,
} from '../reading/transcript-source.js';

/** The conversations that Gemini CLI keeps of some folders, the newest first. */
export async function listGeminiConversations(
  { folders, limit = Number.POSITIVE_INFINITY }: WantedConversations,
  { home, env }: UserDirs,
): Promise<readonly FoundConversation[]> {
  const root = join(env.GEMINI_CLI_HOME || home, '.gemini');
  const projects = await readFile(join(root, 'projects.json'), 'utf8').catch(() => '');
  const names = new Set(folders.flatMap((folder) => projectNames(folder, projects)));
  const found = (await Promise.all([...names].map((name) => conversationsIn(join(root, 'tmp', name, 'chats'))))).flat();
  const ours: FoundConversation[] = [];
  for (const file of found.sort(newestFirst)) {
    if (ours.length >= limit) break;
    if (await holdsAnExchange(file.path)) ours.push(file);
  }
  return ours;
}

/** Pure: the names that a folder may have under `tmp/`: the registered one, and the digest that older versions use. */
export function projectNames(folder: string, projectsFile: string): readonly string[] {
  const registered = Object.entries(objectIn(parseObject(projectsFile)?.projects) ?? {}).flatMap(([path, name]) =>
    typeof name === 'string' && /^[\w.-]+$/.test(name) && resolve(path) === resolve(folder) ? [name] : [],
  );
  return [...new Set([...registered, createHash('sha256').update(resolve(folder)).digest('hex')])];
}

async function conversationsIn(chats: string) {
  const names = await readdir(chats).catch(() => []);
  const isConversation = (name: string) => name.startsWith('session-') && name.endsWith('.jsonl');
  const found = await Promise.all(names.filter(isConversation).map((name) => look(join(chats, name))));
  return found.filter((file) => file !== undefined);
}

async function look(path: string) {
  try {
    return { path, modifiedMs: (await stat(path)).mtimeMs };
  } catch {
    return undefined; // gone in the meantime
  }
}

/** Resuming leaves a second file beside the first that holds nothing but the set-up; the conversation is in the first. */
async function holdsAnExchange(path: string): Promise<boolean> {
  try {
    const file = await open(path, 'r');
    try {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(LOOKED_AT_BYTES), 0, LOOKED_AT_BYTES, 0);
      const start = buffer.subarray(0, bytesRead);
      return start.includes('"type":"gemini"') || start.includes('"displayContent":') || bytesRead === LOOKED_AT_BYTES;
    } finally {
      await file.close();
    }
  } catch {
    return false;
  }
}

const LOOKED_AT_BYTES = 1 << 18;
