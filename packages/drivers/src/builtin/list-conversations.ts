import { readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type FoundConversation,
  newestFirst,
  type UserDirs,
  type WantedConversations,
} from '../reading/transcript-source.js';
import { builtinFolder } from './builtin-places.js';

/** The conversations of the built-in agent in some folders, the newest first. */
export async function listBuiltinConversations(
  { folders, limit }: WantedConversations,
  user: UserDirs,
): Promise<readonly FoundConversation[]> {
  const real = await Promise.all(folders.map((folder) => realpath(folder).catch(() => folder))); // as the agent knows them
  const found = await Promise.all([...new Set(real)].map((folder) => conversationsIn(builtinFolder(user, folder))));
  return found.flat().sort(newestFirst).slice(0, limit);
}

async function conversationsIn(place: string): Promise<readonly FoundConversation[]> {
  const names = (await readdir(place).catch(() => [])).filter((name) => name.endsWith('.jsonl'));
  const found = await Promise.all(names.map((name) => look(join(place, name))));
  return found.filter((conversation) => conversation !== undefined);
}

async function look(path: string): Promise<FoundConversation | undefined> {
  const facts = await stat(path).catch(() => undefined); // gone in the meantime
  return facts === undefined || facts.size === 0 ? undefined : { path, modifiedMs: facts.mtimeMs };
}
