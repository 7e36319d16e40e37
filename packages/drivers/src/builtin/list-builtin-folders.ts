import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { UserDirs } from '../reading/transcript-source.js';
import { builtinHome } from './builtin-places.js';

/** Where conversations are kept, and the folder that they were about. */
export interface BuiltinFolder {
  readonly path: string;
  readonly folder: string;
}

/** More than a first line has. */
const MAX_BYTES = 65_536;

/** Every folder in which the built-in agent was used, as its conversations say, also where that folder is gone. */
export async function listBuiltinFolders(user: UserDirs): Promise<readonly BuiltinFolder[]> {
  const home = builtinHome(user);
  const entries = await readdir(home, { withFileTypes: true }).catch(() => []);
  const found = await Promise.all(
    entries.filter((entry) => entry.isDirectory()).map(({ name }) => look(join(home, name))),
  );
  return found.filter((one) => one !== undefined);
}

/** All conversations in it are about one folder: the first that says so is enough. */
async function look(path: string): Promise<BuiltinFolder | undefined> {
  const names = (await readdir(path).catch(() => [])).filter((name) => name.endsWith('.jsonl'));
  for (const name of names) {
    const folder = folderIn(await firstLine(join(path, name)).catch(() => ''));
    if (folder !== undefined) return { path, folder };
  }
  return undefined;
}

async function firstLine(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_BYTES), 0, MAX_BYTES, 0);
    return buffer.toString('utf8', 0, bytesRead).split('\n', 1)[0] ?? '';
  } finally {
    await file.close();
  }
}

function folderIn(line: string): string | undefined {
  try {
    const record: unknown = JSON.parse(line);
    const isRecord = typeof record === 'object' && record !== null && 'folder' in record;
    return isRecord && typeof record.folder === 'string' ? record.folder : undefined;
  } catch {
    return undefined; // a crash has cut it off
  }
}
