import { open, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseObject, textIn } from '../../reading/json.js';
import { projectNames } from '../list-conversations.js';

/** One chat file, by what its first line says. */
export interface ChatFile {
  readonly path: string;
  readonly conversationId: string;
  readonly startedAt: number;
  readonly isMain: boolean;
}

/** The folders in which Gemini keeps the chats of a project. It names them when it starts there for the first time. */
export async function chatFolders(root: string, folder: string): Promise<readonly string[]> {
  const projects = await readFile(join(root, 'projects.json'), 'utf8').catch(() => '');
  return projectNames(folder, projects).map((name) => join(root, 'tmp', name, 'chats'));
}

/** The chat files there, oldest first; the time of their start is in their names. */
export async function listChats(folders: readonly string[]): Promise<readonly string[]> {
  const listed = await Promise.all(
    folders.map(async (folder) => (await readdir(folder).catch(() => [])).map((name) => join(folder, name))),
  );
  return listed
    .flat()
    .filter((path) => /\/session-[^/]+\.jsonl$/.test(path))
    .toSorted();
}

export async function readChatStart(path: string): Promise<ChatFile | undefined> {
  try {
    const file = await open(path, 'r');
    try {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(MAX_BYTES), 0, MAX_BYTES, 0);
      const [line = ''] = buffer.toString('utf8', 0, bytesRead).split('\n', 1);
      const head = parseObject(line);
      const conversationId = textIn(head?.sessionId);
      const startedAt = Date.parse(textIn(head?.startTime) ?? '');
      if (conversationId === undefined || Number.isNaN(startedAt)) return undefined;
      return { path, conversationId, startedAt, isMain: head?.kind === undefined || head.kind === 'main' };
    } finally {
      await file.close();
    }
  } catch {
    return undefined; // gone, or not written yet
  }
}

const MAX_BYTES = 1 << 16;
