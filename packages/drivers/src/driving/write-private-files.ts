import { chmod, mkdir, readlink, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { PrivateFile } from '@devs/core';

/** Writes the files of a launch, readable only by the user, each atomically. */
export async function writePrivateFiles(files: readonly PrivateFile[]): Promise<void> {
  for (const { path, text, link } of files) {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await chmod(dirname(path), 0o700); // an older folder may be open to others
    await putAt(path, (draft) => writeFile(draft, text, { mode: 0o600 }));
    if (link !== undefined) await putAt(link, (draft) => symlink(path, draft));
  }
}

/** Removes our links from the user's folders after the agent has ended. Leaves other files alone. Never rejects. */
export async function removePrivateLinks(files: readonly PrivateFile[]): Promise<void> {
  for (const { path, link } of files) {
    if (link === undefined) continue;
    const target = await readlink(link).catch(() => undefined);
    if (target === path) await rm(link, { force: true }).catch(() => {}); // left there, it does no harm
  }
}

async function putAt(path: string, make: (draft: string) => Promise<void>): Promise<void> {
  const draft = `${path}.${process.pid}.new`;
  try {
    await make(draft);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
