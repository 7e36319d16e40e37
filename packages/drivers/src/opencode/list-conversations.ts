import { resolve } from 'node:path';
import {
  type FoundConversation,
  newestFirst,
  type UserDirs,
  type WantedConversations,
} from '../reading/transcript-source.js';
import { databasePath, openDatabase } from './open-database.js';

/**
 * The conversations that opencode keeps of some folders, the newest first. All are in one database, so a path is that of the
 * database, `#`, and the id of the conversation.
 */
export async function listOpencodeConversations(
  { folders, limit }: WantedConversations,
  { home, env }: UserDirs,
): Promise<readonly FoundConversation[]> {
  const path = databasePath(home, env);
  const database = await openDatabase(path).catch(() => undefined);
  if (database === undefined) return [];
  try {
    const rows = [...new Set(folders.map((folder) => resolve(folder)))].flatMap((folder) => [
      ...database.rows(IN_FOLDER, folder),
    ]);
    const found = rows.flatMap(({ id, time_updated }) =>
      typeof id === 'string' ? [{ path: `${path}#${id}`, modifiedMs: Number(time_updated) }] : [],
    );
    return found.sort(newestFirst).slice(0, limit);
  } catch {
    return []; // other tables than we know; reading says so
  } finally {
    database.close();
  }
}

const IN_FOLDER = `SELECT id, time_updated FROM session WHERE directory = ? AND parent_id IS NULL AND time_archived IS NULL`;
