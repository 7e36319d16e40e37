import { open } from 'node:fs/promises';
import { CliError } from '../cli-error.js';

const SQLITE = 'SQLite format 3\0';

/**
 * A project's own store that is damaged is put aside and begun anew. A file that the user named may be a mistyped path:
 * what is there and no SQLite file is somebody's, and stays where it is.
 */
export async function refuseOtherFiles(path: string): Promise<void> {
  const file = await open(path, 'r').catch(() => undefined); // one that cannot be read is the store's to report
  if (file === undefined) return;
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(SQLITE.length), 0, SQLITE.length, 0);
    if (bytesRead === 0 || buffer.toString('latin1', 0, bytesRead) === SQLITE) return;
  } catch {
    return; // a folder, say
  } finally {
    await file.close();
  }
  throw new CliError(
    `"${path}" is no store of devs, and is left as it is. Choose another file with --store sqlite:FILE.`,
  );
}
