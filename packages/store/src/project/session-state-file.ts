import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ContextPersistencePort, MinimalState } from '@devs/core';

/**
 * `session-state.json` for external tools. Written to a temporary file and renamed, so that no reader sees half of it.
 */
export const createSessionStateFile = ({ file }: { readonly file: string }): ContextPersistencePort => ({
  async save(state: MinimalState) {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    const draft = `${file}.${randomUUID()}.tmp`;
    try {
      await writeDurably(draft, `${JSON.stringify(state, null, 2)}\n`);
      await rename(draft, file);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  },
});

async function writeDurably(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
