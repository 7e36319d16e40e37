import { type Candidate, type JsonValue, type Passage, type RecallQuery, splitNames, toFtsQuery } from '@devs/core';
import type { Schema } from '../sqlite/migrations.js';
import { openConnection } from '../sqlite/open-connection.js';
import { retryBusy } from '../sqlite/retry-busy.js';

/** Search index over conversations. A cache: it can be rebuilt from the transcripts. */
export interface RecallIndex {
  /** How far a transcript was read; `undefined` where it never was. */
  known(path: string): KnownTranscript | undefined;
  /** Adds one reading atomically. */
  add(reading: IndexedReading): Promise<void>;
  /** Passages that hold every term, the newest first; where none does, passages that hold any of them. */
  search(query: RecallQuery, limit: number): readonly Candidate<PassagePlace>[];
  close(): void;
}

export interface KnownTranscript {
  readonly modifiedMs: number;
  /** For the next reading. */
  readonly kept: JsonValue;
}

export interface IndexedReading extends KnownTranscript {
  readonly path: string;
  readonly agent: string;
  /** Replaces everything added from this transcript before. */
  readonly startedOver: boolean;
  readonly passages: readonly Passage[];
}

/** Which conversation a passage is from. */
export interface PassagePlace {
  readonly transcript: string;
  readonly agent: string;
}

const SCHEMA: Schema = {
  applicationId: 0x64657672,
  migrations: [
    {
      needsDevs: '0.1.0',
      sql: `
CREATE TABLE transcripts (
  id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, agent TEXT NOT NULL, modified_ms REAL NOT NULL, kept TEXT NOT NULL
) STRICT;
CREATE TABLE passages (
  id INTEGER PRIMARY KEY, transcript INTEGER NOT NULL, kind TEXT NOT NULL, line INTEGER NOT NULL, at TEXT, about TEXT, text TEXT NOT NULL
) STRICT;
CREATE INDEX passages_of_transcript ON passages (transcript);
CREATE VIRTUAL TABLE words USING fts5 (text, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2');`,
    },
  ],
};

type PassageRow = [kind: string, line: number, at: string | null, about: string | null, text: string];
type FoundRow = [id: number, ...PassageRow, path: string, agent: string];

const FIND = `
SELECT passages.id, kind, line, at, about, passages.text, path, agent
FROM words JOIN passages ON passages.id = words.rowid JOIN transcripts ON transcripts.id = passages.transcript
WHERE words MATCH ? ORDER BY at DESC, passages.id DESC LIMIT ?`;

/** Opens the index, made if need be. Throws `StoreUnavailableError` where the file cannot be used. */
export function openRecallIndex(file: string, now: () => number): RecallIndex {
  const { sql } = openConnection(file, { schema: SCHEMA, now });
  const find = (match: string, limit: number) => sql.query<FoundRow>(FIND).all(match, limit);

  /** Where there are too many, those with a word as it was typed stay, before those with a longer word that begins so. */
  function findWholeFirst(query: RecallQuery, join: 'AND' | 'OR', limit: number): readonly Candidate<PassagePlace>[] {
    const begun = find(toFtsQuery(query, join), limit);
    if (begun.length < limit) return begun.map(toCandidate);
    const whole = find(toFtsQuery(query, join, 'whole words'), limit);
    const ids = new Set(whole.map(([id]) => id));
    const others = begun.filter(([id]) => !ids.has(id)).slice(0, limit - whole.length);
    return [...whole, ...others].sort(newestFirst).map(toCandidate);
  }

  function addNow({ path, agent, modifiedMs, kept, startedOver, passages }: IndexedReading): void {
    sql.transaction(() => {
      sql
        .query(
          `INSERT INTO transcripts (path, agent, modified_ms, kept) VALUES (?, ?, ?, ?)
           ON CONFLICT (path) DO UPDATE SET agent = excluded.agent, modified_ms = excluded.modified_ms, kept = excluded.kept`,
        )
        .run(path, agent, modifiedMs, JSON.stringify(kept));
      const [id = 0] = sql.query<[number]>('SELECT id FROM transcripts WHERE path = ?').first(path) ?? [];
      if (startedOver) {
        sql.query('DELETE FROM words WHERE rowid IN (SELECT id FROM passages WHERE transcript = ?)').run(id);
        sql.query('DELETE FROM passages WHERE transcript = ?').run(id);
      }
      const addPassage = sql.query(
        'INSERT INTO passages (transcript, kind, line, at, about, text) VALUES (?, ?, ?, ?, ?, ?)',
      );
      const addWords = sql.query('INSERT INTO words (rowid, text) VALUES (?, ?)');
      for (const { kind, line, at, about, text } of passages) {
        const { lastRow } = addPassage.run(id, kind, line, at ?? null, about ?? null, text);
        addWords.run(lastRow, splitNames(text));
      }
    });
  }

  return {
    known(path) {
      const row = sql.query<[number, string]>('SELECT modified_ms, kept FROM transcripts WHERE path = ?').first(path);
      return row === undefined ? undefined : { modifiedMs: row[0], kept: JSON.parse(row[1]) as JsonValue };
    },
    add: (reading) => retryBusy(() => addNow(reading)),
    search(query, limit) {
      if (query.length === 0) return [];
      const all = findWholeFirst(query, 'AND', limit);
      return all.length > 0 || query.length === 1 ? all : findWholeFirst(query, 'OR', limit);
    },
    close: () => sql.close(),
  };
}

/** As the index has them. */
const newestFirst = ([idA, , , atA]: FoundRow, [idB, , , atB]: FoundRow): number => {
  const [a, b] = [atA ?? '', atB ?? ''];
  return a === b ? idB - idA : a < b ? 1 : -1;
};

function toCandidate([, kind, line, at, about, text, path, agent]: FoundRow): Candidate<PassagePlace> {
  return {
    passage: {
      kind: kind as Passage['kind'],
      line,
      text,
      ...(at === null ? {} : { at }),
      ...(about === null ? {} : { about }),
    },
    place: { transcript: path, agent },
  };
}
