import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openConnection } from '../open-connection.js';
import { STORE_SCHEMA } from '../schema.js';
import { collect, programPath } from './run-program.js';
import { scratchFile, scratchFolder } from './scratch.js';

const APPENDS = 40;

describe('an acknowledged write is on the disk', () => {
  it('because the connection of the backend is in WAL mode with synchronous = FULL', () => {
    const { sql } = openConnection(scratchFile(), { schema: STORE_SCHEMA, now: () => 0 });
    expect(sql.query('PRAGMA journal_mode').first()).toEqual(['wal']);
    expect(sql.query('PRAGMA synchronous').first()).toEqual([2]);
    sql.close();
  });

  it('because each append is synced before it is acknowledged', async (context) => {
    const isInstalled = spawnSync('strace', ['-V']).error === undefined;
    if (!isInstalled && process.env['DEVS_REQUIRE_STRACE'] !== '1') {
      context.skip('strace is not installed: apt-get install strace');
    }
    const folder = scratchFolder();
    const trace = join(folder, 'trace');
    const program = [
      process.execPath,
      programPath('append-and-acknowledge'),
      join(folder, 'state.db'),
      String(APPENDS),
    ];
    const traced = ['-f', '-e', 'trace=fsync,fdatasync,write', '-e', 'signal=none', '-o', trace, ...program];
    const { code, lines, errors } = await collect(spawn('strace', traced));
    expect({ code, errors, acknowledged: lines.length }).toEqual({ code: 0, errors: '', acknowledged: APPENDS });
    const syncs = syncsBeforeEach(readFileSync(trace, 'utf8'));
    expect(syncs.filter((count) => count === 0)).toEqual([]);
    // One each; the first also makes the file, and a checkpoint now and then has its own.
    expect(syncs.slice(1).filter((count) => count > 1).length).toBeLessThanOrEqual(2);
  });
});

/** How many syncs there were between one acknowledgement and the next. */
function syncsBeforeEach(trace: string): number[] {
  const counts: number[] = [];
  let syncs = 0;
  for (const line of trace.split('\n')) {
    if (/\b(fsync|fdatasync)\(/.test(line)) syncs++;
    if (!line.includes('write(1, "\\"acknowledged')) continue;
    counts.push(syncs);
    syncs = 0;
  }
  expect(counts.length).toBe(APPENDS);
  return counts;
}
