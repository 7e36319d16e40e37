import { resolve } from 'node:path';
import type { FoundConversation, UserPlace } from '../reading/transcript-source.js';
import { databasePath, openDatabase } from './open-database.js';

/** The path is that of the database that holds it, among others. */
interface FoundOpencodeConversation extends FoundConversation {
  readonly conversationId: string;
}

/** The newest conversation of a folder that opencode keeps, or nothing where it was never used there or not in this form. */
export async function findOpencodeConversation(
  folder: string,
  { home, env }: UserPlace,
): Promise<FoundOpencodeConversation | undefined> {
  const path = databasePath(home, env);
  const database = await openDatabase(path).catch(() => undefined);
  try {
    for (const { id, time_updated } of database?.rows(NEWEST, resolve(folder)) ?? []) {
      if (typeof id === 'string') return { path, conversationId: id, modifiedMs: Number(time_updated) };
    }
    return undefined;
  } catch {
    return undefined; // other tables than we know; reading says so
  } finally {
    database?.close();
  }
}

const NEWEST = `SELECT id, time_updated FROM session WHERE directory = ? AND parent_id IS NULL AND time_archived IS NULL
  ORDER BY time_updated DESC, id LIMIT 1`;
