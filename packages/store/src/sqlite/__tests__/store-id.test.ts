import { describe, expect, it, onTestFinished } from 'vitest';
import { openSqliteBackend, type SqliteBackendOptions } from '../open-sqlite-backend.js';
import { openSql } from '../sql.js';
import { scratchFile } from './scratch.js';

const REPLACED = {
  code: 'STORE_REPLACED',
  message: expect.stringMatching(/replaced or emptied. Put the former file back/),
};

function open(options: SqliteBackendOptions) {
  const backend = openSqliteBackend(options);
  onTestFinished(() => backend.close());
  return backend;
}

const commitOf = (id: string, events: number) => ({
  id,
  at: 0,
  streams: [
    {
      stream: 'run:a',
      expectedVersion: 0,
      events: Array.from({ length: events }, () => ({ type: 'a.done', data: {} })),
    },
  ],
  tasks: [],
});

describe('the id of a store in SQLite', () => {
  it('is another one in every file', async () => {
    const ids = [await open({ file: scratchFile() }).id(), await open({ file: scratchFile() }).id()];
    expect(ids[0]).not.toBe(ids[1]);
  });

  it('admits callers that expect its id, and rejects callers that expect another', async () => {
    const file = scratchFile();
    const expectedId = await open({ file }).id();
    expect(await open({ file, expectedId }).id()).toBe(expectedId);
    expect(() => open({ file, expectedId: 'f'.repeat(32) })).toThrow(expect.objectContaining(REPLACED));
  });

  it.each([1, 2])('is looked at by a commit of %i events: one to another store is refused', async (events) => {
    const file = scratchFile();
    const backend = open({ file });
    const other = openSql(file, { busyMs: 1_000 });
    other.exec(`UPDATE facts SET value = 'another' WHERE name = 'store_id'`);
    other.close();
    await expect(backend.commit(commitOf('one', events))).rejects.toMatchObject(REPLACED);
    expect(await backend.read({ after: 0, limit: 9 })).toEqual([]);
  });
});
