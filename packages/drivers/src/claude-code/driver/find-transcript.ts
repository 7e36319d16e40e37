import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Finds the transcript of a conversation: the file is named after the id, its folder after the project. */
export async function findTranscript(
  projects: string,
  conversationId: string,
  folder: string,
): Promise<string | undefined> {
  const name = `${conversationId}.jsonl`;
  const likely = join(projects, folder.replace(/[^A-Za-z0-9]/g, '-'), name);
  if (await isThere(likely)) return likely;
  const folders = await readdir(projects).catch(() => []);
  for (const other of folders) {
    const path = join(projects, other, name);
    if (await isThere(path)) return path;
  }
  return undefined;
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
