import { readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { FoundConversation, UserPlace } from '../reading/transcript-source.js';
import { builtinFolder } from './builtin-places.js';

/** The newest conversation of the built-in agent in a folder, or nothing where it was never used there. */
export async function findBuiltinConversation(folder: string, user: UserPlace): Promise<FoundConversation | undefined> {
  const place = builtinFolder(user, await realpath(folder).catch(() => folder)); // the agent knows where it really is
  const names = (await readdir(place).catch(() => [])).filter((name) => name.endsWith('.jsonl'));
  const found = await Promise.all(names.map((name) => look(join(place, name))));
  return found
    .filter((conversation) => conversation !== undefined)
    .sort((a, b) => b.modifiedMs - a.modifiedMs || a.path.localeCompare(b.path))[0];
}

async function look(path: string): Promise<FoundConversation | undefined> {
  const facts = await stat(path).catch(() => undefined); // gone in the meantime
  return facts === undefined || facts.size === 0 ? undefined : { path, modifiedMs: facts.mtimeMs };
}
