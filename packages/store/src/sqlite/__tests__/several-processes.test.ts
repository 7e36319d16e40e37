import { createEventLog } from '@devs/core';
import { describe, expect, it } from 'vitest';
import { openSqliteBackend } from '../open-sqlite-backend.js';
import { expectConsistent } from './expect-consistent.js';
import { collect, runProgram, startProgram } from './run-program.js';
import { scratchFile } from './scratch.js';

/** Enough of them that one finds the file busy at every point of a commit. */
const WRITERS = ['one', 'two', 'three', 'four'];
const EACH = 100;

describe('several processes on one file', () => {
  it('[S3] append to one stream: each conflict is reported, nothing is lost', async () => {
    const file = scratchFile();
    const results = await Promise.all(
      WRITERS.map((name) =>
        runProgram<{ conflicts: number; wrongConflicts: number }>('append-against-others', [file, name, String(EACH)]),
      ),
    );
    const backend = openSqliteBackend({ file });
    const texts = (await expectConsistent(backend)).map(({ data }) => data['text']);
    const expected = WRITERS.flatMap((name) => Array.from({ length: EACH }, (_, index) => `${name}/${index}`));
    expect([...texts].sort()).toEqual(expected.sort());
    expect(results.map(({ wrongConflicts }) => wrongConflicts)).toEqual([0, 0, 0, 0]);
    // All of them expect an empty stream at first; only one can be right.
    expect(results.filter(({ conflicts }) => conflicts > 0).length).toBeGreaterThanOrEqual(3);
    await backend.close();
  });

  it('may all be the first to open it', async () => {
    const file = scratchFile();
    const names = Array.from({ length: 6 }, (_, index) => `opener-${index}`);
    const results = await Promise.all(names.map((name) => runProgram('open-and-report', [file, name])));
    expect(results).toEqual(names.map(() => ({ status: 'appended' })));
    const backend = openSqliteBackend({ file });
    expect((await expectConsistent(backend)).length).toBe(names.length);
    await backend.close();
  });

  it('wake each other: a follower sees what another process appends', async () => {
    const file = scratchFile();
    const backend = openSqliteBackend({ file });
    const log = createEventLog({ backend, clock: Date, newId: () => 'none' });
    const stop = new AbortController();
    const writer = runProgram('append-and-acknowledge', [file, '20']);
    const seen: unknown[] = [];
    for await (const { data } of log.follow({ signal: stop.signal })) {
      seen.push(data['text']);
      if (seen.length === 20) stop.abort();
    }
    await writer;
    expect(seen).toEqual(Array.from({ length: 20 }, (_, index) => `event ${index}`));
    await backend.close();
  });

  it('end when they have nothing to do but follow', async () => {
    const { code, errors } = await collect(startProgram('follow-and-end', [scratchFile()]));
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
  });
});

describe('waiting for events', () => {
  const nothingYet = async () => {
    const backend = openSqliteBackend({ file: scratchFile() });
    const stop = new AbortController();
    return { backend, stop, woken: backend.changed({ after: 0 }, stop.signal) };
  };

  it('ends at once by a commit of the same connection', async () => {
    const { backend, stop, woken } = await nothingYet();
    const events = [{ type: 'note.written', data: {} }];
    await backend.commit({ id: 'a', at: 0, streams: [{ stream: 'run:a', expectedVersion: 0, events }], tasks: [] });
    await woken;
    await backend.changed({ after: 0 }, stop.signal);
    await backend.close();
  });

  it('ends when it is aborted and when the store is closed', async () => {
    const first = await nothingYet();
    first.stop.abort();
    await first.woken;
    await first.backend.close();
    const second = await nothingYet();
    await second.backend.close();
    await second.woken;
    await expect(second.backend.read({ after: 0, limit: 1 })).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  });
});
