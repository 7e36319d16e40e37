import type { ChangeQuery, NewEvent, StoreBackend, StoredEvent } from '@devs/core';
import { parseEventData } from '../parse-stored.js';
import type { Sql } from './sql.js';

type EventRow = readonly [position: number, stream: string, version: number, type: string, at: number, data: string];

interface EventToInsert extends NewEvent {
  readonly stream: string;
  readonly version: number;
  readonly at: number;
  /** Only at the first event that the commit adds to the stream. */
  readonly commitId: string | null;
}

export interface EventRows {
  read(query: Parameters<StoreBackend['read']>[0]): readonly StoredEvent[];
  isThere(query: ChangeQuery): boolean;
  version(stream: string): number;
  lastPosition(): number;
  /** Within the transaction of a commit. Returns the position. */
  insert(event: EventToInsert): number;
  /**
   * Appends one event in its own transaction, if the stream is at the previous version in the store with this id;
   * otherwise returns `undefined` and does nothing.
   */
  append(event: EventToInsert, storeId: string): number | undefined;
  /** The event at this distance from the stream's end: 0 is the last. */
  fromEnd(
    stream: string,
    distance: number,
  ): { readonly position: number; readonly commitId: string | null } | undefined;
  /**
   * Within a transaction. Removes the events of a stream at this version, unless the newest of the log is among them.
   * Returns how many.
   */
  trim(stream: string, version: number): number;
}

export function createEventRows(sql: Sql): EventRows {
  const columns = 'SELECT position, stream, version, type, at, data FROM events';
  const all = sql.query<EventRow>(`${columns} WHERE position > ? ORDER BY position LIMIT ?`);
  const ofStream = sql.query<EventRow>(`${columns} WHERE stream = ? AND position > ? ORDER BY position LIMIT ?`);
  const next = sql.query<[number]>('SELECT position FROM events WHERE position > ? LIMIT 1');
  const nextOfStream = sql.query<[number]>('SELECT position FROM events WHERE stream = ? AND position > ? LIMIT 1');
  const backwards = 'FROM events WHERE stream = ? ORDER BY position DESC LIMIT 1';
  const version = sql.query<[number]>(`SELECT version ${backwards}`);
  const trimmed = sql.query<[number]>('SELECT version FROM trimmed WHERE stream = ?');
  const lastOf = sql.query<[number]>(`SELECT position ${backwards}`);
  const remove = sql.query('DELETE FROM events WHERE stream = ?');
  const remember = sql.query('INSERT OR REPLACE INTO trimmed VALUES (?, ?)');
  const fromEnd = sql.query<[number, string | null]>(`SELECT position, commit_id ${backwards} OFFSET ?`);
  const last = sql.query<[number | null]>('SELECT max(position) FROM events');
  const insert = sql.query('INSERT INTO events (stream, version, type, at, data, commit_id) VALUES (?, ?, ?, ?, ?, ?)');
  const append = sql.query(
    `INSERT INTO events (stream, version, type, at, data, commit_id) SELECT ?1, ?2, ?3, ?4, ?5, ?6
     WHERE coalesce((SELECT version FROM events WHERE stream = ?1 ORDER BY position DESC LIMIT 1),
                    (SELECT version FROM trimmed WHERE stream = ?1), 0) = ?2 - 1
       AND (SELECT value FROM facts WHERE name = 'store_id') = ?7`,
  );
  const isThere = ({ after, stream }: ChangeQuery) =>
    (stream === undefined ? next.first(after) : nextOfStream.first(stream, after)) !== undefined;
  const versionOf = (stream: string): number => version.first(stream)?.[0] ?? trimmed.first(stream)?.[0] ?? 0;
  const lastPosition = (): number => last.first()?.[0] ?? 0;
  return {
    isThere,
    read({ after, limit, stream }) {
      // Asked again and again while nothing happens, by those who follow the log: a list of no rows costs three times as much.
      if (!isThere({ after, ...(stream !== undefined && { stream }) })) return [];
      const rows = stream === undefined ? all.all(after, limit) : ofStream.all(stream, after, limit);
      return rows.map(asEvent);
    },
    version: versionOf,
    lastPosition,
    insert: (event) => insert.run(...valuesOf(event)).lastRow,
    append(event, storeId) {
      const { changes, lastRow } = append.runAlone(...valuesOf(event), storeId);
      return changes === 0 ? undefined : lastRow;
    },
    fromEnd(stream, distance) {
      const row = fromEnd.first(stream, distance);
      return row && { position: row[0], commitId: row[1] };
    },
    trim(stream, at) {
      // The next position follows from the newest event, which therefore stays.
      if (versionOf(stream) !== at || lastOf.first(stream)?.[0] === lastPosition()) return 0;
      remember.run(stream, at);
      return Number(remove.run(stream).changes);
    },
  };
}

const valuesOf = ({ stream, version, type, at, data, commitId }: EventToInsert) => [
  stream,
  version,
  type,
  at,
  JSON.stringify(data),
  commitId,
];

const asEvent = ([position, stream, version, type, at, data]: EventRow): StoredEvent => ({
  position,
  stream,
  version,
  type,
  at,
  data: parseEventData(data, { position, stream }),
});
