import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder that is gone when the test is. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'devs-store-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export const scratchFile = () => join(scratchFolder(), 'state.db');
