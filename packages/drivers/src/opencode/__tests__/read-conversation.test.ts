import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ConversationEvent } from '@devs/core';
import Database from 'libsql';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createOpencodeParser } from '../create-opencode-parser.js';
import { listOpencodeConversations } from '../list-conversations.js';
import { databasePath } from '../open-database.js';
import { opencode } from '../opencode.js';
import { readOpencodeConversation } from '../read-conversation.js';
import { ASSISTANT, completed, finished, text, tool, USER } from './opencode-records.js';

/** The columns of opencode 1.18.33 that matter here. */
const TABLES = `
  CREATE TABLE session (id TEXT PRIMARY KEY, parent_id TEXT, directory TEXT NOT NULL, version TEXT NOT NULL,
    time_updated INTEGER NOT NULL, time_archived INTEGER);
  CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT NOT NULL, time_created INTEGER NOT NULL,
    time_updated INTEGER NOT NULL, data TEXT NOT NULL);
  CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT NOT NULL, session_id TEXT NOT NULL,
    time_created INTEGER NOT NULL, time_updated INTEGER NOT NULL, data TEXT NOT NULL);`;

let home: string;
let path: string;
let database: InstanceType<typeof Database>;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'devs-opencode-'));
  path = databasePath(home, {});
  await mkdir(join(home, '.local/share/opencode'), { recursive: true });
  database = new Database(path);
  database.exec('PRAGMA journal_mode = WAL');
  database.exec(TABLES);
});
afterEach(async () => {
  database.close();
  await rm(home, { recursive: true, force: true });
});

const session = (
  id: string,
  directory: string,
  updated: number,
  parent: string | null = null,
  archived: number | null = null,
) =>
  database
    .prepare('INSERT INTO session VALUES (?, ?, ?, ?, ?, ?)')
    .run(id, parent, directory, '1.18.33', updated, archived);
const message = (id: string, owner: string, at: number, data: object) =>
  database.prepare('INSERT INTO message VALUES (?, ?, ?, ?, ?)').run(id, owner, at, at, JSON.stringify(data));
const part = (id: string, [owner, of]: readonly [string, string], at: number, data: object) =>
  database
    .prepare('INSERT OR REPLACE INTO part VALUES (?, ?, ?, ?, ?, ?)')
    .run(id, of, owner, at, at, JSON.stringify(data));

function createReader() {
  const parser = createOpencodeParser();
  return async (from?: { updatedMs: number; records: number }) => {
    const events: ConversationEvent[] = [];
    const onEvents = (more: readonly ConversationEvent[]) => void events.push(...more);
    const result = await readOpencodeConversation({
      path,
      conversationId: 'ses_1',
      parser,
      onEvents,
      ...(from && { from }),
    });
    return { result, told: events.map(({ type, from: { subAgent } }) => (subAgent ? `${subAgent}: ${type}` : type)) };
  };
}

describe('a conversation in opencode’s database', () => {
  it('is read in order, with those of its sub-agents, and continues where it stopped', async () => {
    session('ses_1', '/project', 9_000);
    session('ses_2', '/project', 9_500, 'ses_1');
    message('m2', 'ses_1', 2_000, ASSISTANT);
    part('p3', ['ses_1', 'm2'], 2_600, tool('task', { status: 'running', input: { prompt: 'Look.' } }));
    part('p2', ['ses_1', 'm2'], 2_500, finished('Looking.'));
    message('m1', 'ses_1', 1_000, USER);
    part('p1', ['ses_1', 'm1'], 1_000, text('Go.'));
    message('m3', 'ses_2', 3_000, USER);
    part('p4', ['ses_2', 'm3'], 3_000, text('Look.'));
    const readOn = createReader();

    const first = await readOn();
    expect(first).toEqual({
      result: { outcome: 'read', next: { updatedMs: 3_000, records: 8 } },
      told: [
        'conversation.described',
        'request.made',
        'conversation.described',
        'note.written',
        'tool.called',
        'ses_2: request.made',
      ],
    });

    part('p3', ['ses_1', 'm2'], 4_000, tool('task', completed({ prompt: 'Look.' }, 'Seen.')));
    const next = first.result.outcome === 'read' ? first.result.next : undefined;
    expect((await readOn(next)).told).toEqual(['tool.answered']);
  });

  it('skips damaged records and reads the rest', async () => {
    session('ses_1', '/project', 9_000);
    message('m1', 'ses_1', 1_000, USER);
    database.exec(`INSERT INTO part VALUES ('p0', 'm1', 'ses_1', 1, 1, '{"type":"te')`);
    part('p1', ['ses_1', 'm1'], 1_000, text('Go.'));
    expect((await createReader()()).told).toEqual(['conversation.described', 'request.made']);
  });

  it('gives a warning where the tables are other ones, the file is no database, or there is none', async () => {
    const read = createReader();
    database.exec('ALTER TABLE part RENAME TO piece');
    expect((await read()).result).toMatchObject({ outcome: 'not-readable', warning: expect.stringContaining('part') });
    path = join(home, 'text.db');
    await writeFile(path, 'x'.repeat(5_000));
    expect((await read()).result).toMatchObject({ outcome: 'not-readable' });
    path = join(home, 'none.db');
    expect((await read()).result).toMatchObject({
      outcome: 'not-readable',
      warning: expect.stringContaining('ENOENT'),
    });
  });

  it('passes on errors of the listener', async () => {
    session('ses_1', '/project', 9_000);
    const onEvents = () => {
      throw new Error('mine');
    };
    const reading = { path, conversationId: 'ses_1', parser: createOpencodeParser(), onEvents };
    await expect(readOpencodeConversation(reading)).rejects.toThrow('mine');
  });
});

describe('the conversations of opencode in some folders', () => {
  it('are those of the user there, the newest first', async () => {
    session('ses_1', '/project', 3_000);
    session('ses_2', '/project', 2_000);
    session('ses_3', '/project', 4_000, 'ses_1');
    session('ses_4', '/project', 5_000, null, 5_000);
    session('ses_5', '/elsewhere', 6_000);
    const newest = { path: `${path}#ses_1`, modifiedMs: 3_000 };
    expect(await listOpencodeConversations({ folders: ['/project/', '/new'] }, { home, env: {} })).toEqual([
      newest,
      { path: `${path}#ses_2`, modifiedMs: 2_000 },
    ]);
    expect(await listOpencodeConversations({ folders: ['/project'], limit: 1 }, { home, env: {} })).toEqual([newest]);
  });

  it('are none where opencode was never used, or keeps its conversations otherwise', async () => {
    expect(await listOpencodeConversations({ folders: ['/project'] }, { home: join(home, 'new'), env: {} })).toEqual(
      [],
    );
    database.exec('DROP TABLE session');
    expect(await listOpencodeConversations({ folders: ['/project'] }, { home, env: {} })).toEqual([]);
  });

  it.each([
    [{}, '/home/me/.local/share/opencode/opencode.db'],
    [{ XDG_DATA_HOME: '/data' }, '/data/opencode/opencode.db'],
    [{ OPENCODE_DB: 'mine.db' }, '/home/me/.local/share/opencode/mine.db'],
    [{ OPENCODE_DB: '/x/mine.db' }, '/x/mine.db'],
  ])('is looked for with %j in %s', (env, expected) => {
    expect(databasePath('/home/me', env)).toBe(expected);
  });
});

describe('opencode as a source of transcripts', () => {
  const typesIn = async (from: string) => {
    const types: string[] = [];
    const result = await opencode.transcripts.read({
      path: from,
      onEvents: (events) => types.push(...events.map(({ type }) => type)),
    });
    return { types, ...result };
  };

  it('reads what it found, and without an id the last used', async () => {
    session('ses_1', '/project', 3_000);
    session('ses_2', '/elsewhere', 4_000);
    message('m1', 'ses_1', 1_000, USER);
    part('p1', ['ses_1', 'm1'], 1_000, text('Go.'));
    const [found] = await opencode.transcripts.list({ folders: ['/project'] }, { home, env: {} });
    expect(found).toEqual({ path: `${path}#ses_1`, modifiedMs: 3_000 });
    expect(await typesIn(found?.path ?? '')).toMatchObject({
      types: ['conversation.described', 'request.made'],
      tally: { lines: 3, damagedLines: 0 },
      startedOver: false,
    });
    expect((await typesIn(path)).types).toEqual(['conversation.described']);
  });

  it('rejects without a database, and can be aborted', async () => {
    await expect(typesIn(join(home, 'none.db'))).rejects.toThrow(/ENOENT/);
    session('ses_1', '/project', 3_000);
    const reading = opencode.transcripts.read({ path, onEvents: () => undefined, signal: AbortSignal.abort() });
    await expect(reading).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('changes nothing in the database', async () => {
    session('ses_1', '/project', 3_000);
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    const before = await readFile(path);
    await typesIn(path);
    expect((await readFile(path)).equals(before)).toBe(true);
  });
});
