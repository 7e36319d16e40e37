import { type ConversationEvent, messageOf, type TranscriptParser } from '@devs/core';
import { type OpencodeDatabase, openDatabase } from './open-database.js';

/** Up to where a conversation was read. opencode changes its records in place, so this is a time, not a place. */
export interface OpencodePosition {
  readonly updatedMs: number;
  readonly records: number;
}

export interface OpencodeReading {
  readonly path: string;
  /** Default: the last used. */
  readonly conversationId?: string;
  readonly parser: TranscriptParser;
  readonly from?: OpencodePosition;
  readonly onEvents: (events: readonly ConversationEvent[]) => void;
  readonly signal?: AbortSignal;
}

export type OpencodeResult =
  | { readonly outcome: 'read'; readonly next: OpencodePosition }
  | { readonly outcome: 'not-readable'; readonly warning: string; readonly cause: unknown };

/**
 * Reads a conversation with those of its sub-agents from opencode's database, record by record. Called again with
 * `next` and the same parser it reports only new records.
 *
 * A missing, damaged or incompatible database gives a warning; its content never makes this reject.
 */
export async function readOpencodeConversation(reading: OpencodeReading): Promise<OpencodeResult> {
  let database: OpencodeDatabase | undefined;
  try {
    database = await openDatabase(reading.path);
    return readFrom(database, reading);
  } catch (error) {
    if (error instanceof ListenerError) throw error.cause;
    reading.signal?.throwIfAborted();
    const reason = messageOf(error);
    return {
      outcome: 'not-readable',
      warning: `opencode's conversations are kept in a form that is not known: ${reason}`,
      cause: error,
    };
  } finally {
    database?.close();
  }
}

/** Distinguishes the caller's own error from an error of the database. */
class ListenerError extends Error {}

function readFrom(
  database: OpencodeDatabase,
  { parser, from, onEvents, signal, ...reading }: OpencodeReading,
): OpencodeResult {
  const conversationId = reading.conversationId ?? lastUsed(database);
  let { updatedMs, records } = from ?? { updatedMs: 0, records: 0 };
  const tell = (line: string) => {
    signal?.throwIfAborted();
    records += 1;
    const events = parser.parseLine(line, { line: records, byteOffset: 0 });
    try {
      if (events.length > 0) onEvents(events);
    } catch (cause) {
      throw new ListenerError('', { cause });
    }
  };
  for (const session of database.rows(SESSION, conversationId)) tell(JSON.stringify({ session }));
  // What changed in the same millisecond as the last record read comes again; the parser knows it.
  for (const row of database.rows(RECORDS, conversationId, conversationId, updatedMs)) {
    updatedMs = Math.max(updatedMs, Number(row.updated));
    tell(lineOf(row, conversationId));
  }
  return { outcome: 'read', next: { updatedMs, records } };
}

function lastUsed(database: OpencodeDatabase): string {
  for (const { id } of database.rows(LAST_USED)) return String(id);
  return '';
}

/** The columns already hold JSON; a damaged one makes a damaged line. */
function lineOf(row: Readonly<Record<string, unknown>>, conversationId: string): string {
  const subAgent = row.session_id === conversationId ? '' : `,"subAgent":${JSON.stringify(row.session_id)}`;
  const part = row.part === null ? '' : `,"part":${String(row.part)}`;
  return `{"id":${JSON.stringify(row.id)}${subAgent},"message":${String(row.message)}${part}}`;
}

const LAST_USED = 'SELECT id FROM session WHERE parent_id IS NULL ORDER BY time_updated DESC, id LIMIT 1';
const SESSION = 'SELECT id, directory, version FROM session WHERE id = ?';
const RECORDS = `
  WITH mine AS (SELECT id FROM session WHERE id = ? OR parent_id = ?),
  records AS (
    SELECT m.id, m.session_id, m.time_created AS created, m.id AS message_id, '' AS part_id, m.time_updated AS updated,
      m.data AS message, NULL AS part
    FROM message m WHERE m.session_id IN (SELECT id FROM mine)
    UNION ALL
    SELECT p.id, p.session_id, m.time_created, m.id, p.id, p.time_updated, m.data, p.data
    FROM part p JOIN message m ON m.id = p.message_id WHERE p.session_id IN (SELECT id FROM mine)
  )
  SELECT id, session_id, updated, message, part FROM records WHERE updated >= ?
  ORDER BY created, message_id, part_id`;
