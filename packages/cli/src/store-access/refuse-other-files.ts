import { open } from 'node:fs/promises';
import { CliError } from '../cli-error.js';

const SQLITE = 'SQLite format 3\0';

/**
 * A damaged store of a project is moved aside and replaced. A path named by the user may be mistyped: an existing file
 * other than SQLite stays untouched.
 */
export async function refuseOtherFiles(path: string): Promise<void> {
  const file = await open(path, 'r').catch(() => undefined); // the store reports an unreadable file itself
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
