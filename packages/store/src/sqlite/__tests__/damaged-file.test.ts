import { copyFileSync, existsSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { createEventLog } from '@devs/core';
import { describe, expect, it } from 'vitest';
import { openSqliteBackend } from '../open-sqlite-backend.js';
import { openSql } from '../sql.js';
import { runProgram } from './run-program.js';
import { scratchFile } from './scratch.js';

const NOW = Date.UTC(2026, 10, 15, 12, 0, 0);
const KEPT = /\.damaged-2026-11-15T12-00-00-000Z$/;

/** A healthy store of a few pages that no process has open. */
async function healthyFile(): Promise<string> {
  const file = scratchFile();
  const backend = openSqliteBackend({ file });
  const log = createEventLog({ backend, clock: Date, newId: () => 'none' });
  await log.append('run:a', 0, [{ type: 'note.written', data: { text: 'x'.repeat(100_000) } }]);
  await backend.close();
  const sql = openSql(file, { busyMs: 1_000 });
  sql.query('PRAGMA wal_checkpoint(TRUNCATE)').first();
  sql.close();
  const copy = scratchFile();
  copyFileSync(file, copy);
  return copy;
}

const DAMAGE: Readonly<Record<string, () => Promise<string>>> = {
  async 'a file of garbage'() {
    const file = scratchFile();
    writeFileSync(file, 'garbage '.repeat(1_000));
    return file;
  },
  async 'a short file of garbage'() {
    const file = scratchFile();
    writeFileSync(file, 'x');
    return file;
  },
  async 'a file that was cut off'() {
    const file = await healthyFile();
    truncateSync(file, statSync(file).size - 50_000);
    return file;
  },
  async 'a file with a wrong header'() {
    const file = await healthyFile();
    writeFileSync(file, Buffer.concat([Buffer.from('not an SQLite db'), readFileSync(file).subarray(16)]));
    return file;
  },
  async 'an empty file beside a log with changes'() {
    const file = scratchFile();
    writeFileSync(file, '');
    writeFileSync(`${file}-wal`, 'changes that SQLite would throw away');
    return file;
  },
  async 'a log with changes and no file'() {
    const file = scratchFile();
    writeFileSync(`${file}-wal`, 'changes that SQLite would throw away');
    return file;
  },
};

describe('an emptied store', () => {
  it('is reported once and replaced by a new store with another id', async () => {
    const file = await healthyFile();
    const before = openSqliteBackend({ file });
    const id = await before.id();
    expect(before.wasEmptied).toBeUndefined();
    await before.close();
    const emptied = scratchFile();
    writeFileSync(emptied, '');
    const backend = openSqliteBackend({ file: emptied });
    expect([backend.wasEmptied, await backend.id()]).toEqual([true, expect.not.stringMatching(id)]);
    await backend.close();
    const again = openSqliteBackend({ file: emptied });
    expect(again.wasEmptied).toBeUndefined();
    await again.close();
  });

  it('is not what several processes see that make it at the same time', async () => {
    const file = scratchFile();
    const results = await Promise.all(
      ['a', 'b', 'c', 'd'].map((name) => runProgram<{ status: string }>('open-and-report', [file, name])),
    );
    expect(results).toEqual(results.map(() => ({ status: 'appended' })));
  });
});

describe('a damaged store', () => {
  it.each(Object.entries(DAMAGE))('is kept aside and reported, and a fresh one begun: %s', async (_kind, damage) => {
    const file = await damage();
    const parts = ['', '-wal'].filter((part) => existsSync(`${file}${part}`));
    const content = parts.map((part) => readFileSync(`${file}${part}`));
    const backend = openSqliteBackend({ file, now: () => NOW });
    expect(backend.damagedKept).toMatch(KEPT);
    const kept = parts.map((part) => readFileSync(`${backend.damagedKept}${part}`));
    expect(kept.every((bytes, index) => content[index]?.equals(bytes))).toBe(true);
    expect(await backend.read({ after: 0, limit: 10 })).toEqual([]);
    await backend.close();
    const again = openSqliteBackend({ file });
    expect(again.damagedKept).toBeUndefined();
    await again.close();
  });

  it('does not overwrite a copy kept at the same time before', async () => {
    const file = scratchFile();
    for (const text of ['first', 'second']) {
      for (const part of ['', '-wal', '-shm']) writeFileSync(`${file}${part}`, text.repeat(500));
      await openSqliteBackend({ file, now: () => NOW }).close();
    }
    expect(readdirSync(dirname(file)).filter((name) => /damaged.*Z(-2)?$/.test(name)).length).toBe(2);
  });

  it('is moved aside by one of several processes', async () => {
    const file = scratchFile();
    writeFileSync(file, 'garbage '.repeat(1_000));
    const names = ['a', 'b', 'c', 'd'];
    const results = await Promise.all(
      names.map((name) => runProgram<{ status: string; damagedKept?: string }>('open-and-report', [file, name])),
    );
    expect(results.map(({ status }) => status)).toEqual(names.map(() => 'appended'));
    expect(results.filter(({ damagedKept }) => damagedKept !== undefined).length).toBe(1);
    const backend = openSqliteBackend({ file });
    expect((await backend.read({ after: 0, limit: 10 })).length).toBe(names.length);
    await backend.close();
  });
});
