import { open } from 'node:fs/promises';
import { unreadable } from '../files/read-text.js';

const MAGIC = Buffer.from('SQLite format 3\0', 'latin1');

/** Whether a file is one of SQLite: opening another as such would turn an empty one into a database. */
export async function startsLikeDatabase(path: string): Promise<boolean> {
  try {
    const file = await open(path, 'r');
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(MAGIC.length), 0, MAGIC.length, 0);
      return bytesRead === MAGIC.length && buffer.equals(MAGIC);
    } finally {
      await file.close();
    }
  } catch (error) {
    throw unreadable(error as NodeJS.ErrnoException, `"${path}"`);
  }
}
