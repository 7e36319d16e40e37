import { copyFileSync, statSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openSqliteBackend, type SqliteBackend } from '../open-sqlite-backend.js';
import { scratchFile } from './scratch.js';

async function append(backend: SqliteBackend, from: number, count: number) {
  for (let version = from; version < from + count; version++) {
    const events = [{ type: 'line.written', data: { version } }];
    const streams = [{ stream: 'run:1', expectedVersion: version, events }];
    await backend.commit({ id: `commit-${version}`, at: 0, streams, tasks: [] });
    await new Promise(setImmediate);
  }
}

const logBytes = (file: string) => statSync(`${file}-wal`).size;

describe('the log of a process that stays', () => {
  it('is made as long as it will become, once, and not for a few commits', async () => {
    const file = scratchFile();
    const backend = openSqliteBackend({ file });
    await append(backend, 0, 7);
    expect(logBytes(file)).toBeLessThan(1 << 20);
    await append(backend, 7, 1);
    const long = logBytes(file);
    expect(long).toBeGreaterThan(1_000 * 4_096);
    await append(backend, 8, 50);
    expect(logBytes(file)).toBe(long);
    await backend.close();
  });

  it('holds everything when it is read again after a crash, though zeros follow', async () => {
    const file = scratchFile();
    const backend = openSqliteBackend({ file });
    await append(backend, 0, 30);
    const copy = scratchFile();
    for (const part of ['', '-wal']) copyFileSync(`${file}${part}`, `${copy}${part}`);
    const reopened = openSqliteBackend({ file: copy });
    expect(reopened.damagedKept).toBeUndefined();
    expect(await reopened.version('run:1')).toBe(30);
    await append(reopened, 30, 20);
    expect(await reopened.read({ after: 0, limit: 100 })).toHaveLength(50);
    await Promise.all([backend.close(), reopened.close()]);
  });

  it('may be made longer by one process while another uses it', async () => {
    const file = scratchFile();
    const [one, other] = [openSqliteBackend({ file }), openSqliteBackend({ file })];
    await append(one, 0, 8);
    await append(other, 8, 8);
    expect(await one.read({ after: 0, limit: 100 })).toHaveLength(16);
    await Promise.all([one.close(), other.close()]);
  });
});
