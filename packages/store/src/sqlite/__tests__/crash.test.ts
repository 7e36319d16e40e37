import { createRandom, rounds, seed } from '@devs/core/testing';
import { describe, expect, it } from 'vitest';
import { openSqliteBackend } from '../open-sqlite-backend.js';
import { expectConsistent } from './expect-consistent.js';
import { collect, startProgram } from './run-program.js';
import { scratchFile } from './scratch.js';

/** `.ci/soak` makes 300 of them. */
const KILLS = rounds(4, 300);
const KILLS_PER_FILE = 10;
/** Killed while it works on the change after one of these. */
const MAX_LINES = 80;

interface Acknowledged {
  readonly stream: string;
  readonly version: number;
}

describe('a writer that is killed', () => {
  it('[S2] loses nothing acknowledged and stores nothing twice', async () => {
    const random = createRandom(seed());
    let file = scratchFile();
    let acknowledged: Acknowledged[] = [];
    let everAcknowledged = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      if (kill > 0 && kill % KILLS_PER_FILE === 0) {
        file = scratchFile();
        acknowledged = [];
      }
      const said = await writeAndKill(file, `w${kill}`, 1 + random.below(MAX_LINES));
      acknowledged.push(...said);
      everAcknowledged += said.length;

      const backend = openSqliteBackend({ file });
      expect(backend.damagedKept).toBeUndefined();
      const stored = new Set((await expectConsistent(backend)).map(({ stream, version }) => `${stream}@${version}`));
      expect(acknowledged.filter(({ stream, version }) => !stored.has(`${stream}@${version}`))).toEqual([]);
      await backend.close();
    }
    expect(everAcknowledged).toBeGreaterThanOrEqual(KILLS);
  });
});

/** Kills the writer after this many lines; returns everything it had printed. */
async function writeAndKill(file: string, name: string, lines: number): Promise<Acknowledged[]> {
  const child = startProgram('write-until-killed', [file, name]);
  let said = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString().split('\n').length - 1;
    if (said >= lines) child.kill('SIGKILL');
  });
  const ended = await collect(child);
  expect(ended.errors).toBe('');
  expect(ended.code).toBeNull(); // it did not end by itself
  return ended.lines.map((line) => JSON.parse(line) as Acknowledged);
}
