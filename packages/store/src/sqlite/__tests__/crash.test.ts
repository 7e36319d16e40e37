import { setTimeout as pause } from 'node:timers/promises';
import { createRandom, rounds, seed } from '@devs/core/testing';
import { describe, expect, it } from 'vitest';
import { openSqliteBackend } from '../open-sqlite-backend.js';
import { expectConsistent } from './expect-consistent.js';
import { collect, startProgram } from './run-program.js';
import { scratchFile } from './scratch.js';

/** `.ci/soak` makes 300 of them. */
const KILLS = rounds(6);
const KILLS_PER_FILE = 10;
const LONGEST_LIFE_MS = 60;

interface Acknowledged {
  readonly stream: string;
  readonly version: number;
}

describe('a writer that is killed', () => {
  it('[S2] loses nothing that was acknowledged, and stores nothing twice', {
    timeout: 30_000 + KILLS * 5_000,
  }, async () => {
    const random = createRandom(seed());
    let file = scratchFile();
    let acknowledged: Acknowledged[] = [];
    let everAcknowledged = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      if (kill > 0 && kill % KILLS_PER_FILE === 0) {
        file = scratchFile();
        acknowledged = [];
      }
      const said = await writeAndKill(file, `w${kill}`, random.below(LONGEST_LIFE_MS));
      acknowledged.push(...said);
      everAcknowledged += said.length;

      const backend = openSqliteBackend({ file });
      expect(backend.damagedKept).toBeUndefined();
      const stored = new Set((await expectConsistent(backend)).map(({ stream, version }) => `${stream}@${version}`));
      expect(acknowledged.filter(({ stream, version }) => !stored.has(`${stream}@${version}`))).toEqual([]);
      await backend.close();
    }
    expect(everAcknowledged).toBeGreaterThan(KILLS);
  });
});

/** Kills the writer that many milliseconds after its first commit; returns what it had said by then. */
async function writeAndKill(file: string, name: string, lifeMs: number): Promise<Acknowledged[]> {
  const child = startProgram('write-until-killed', [file, name]);
  const ended = collect(child);
  await Promise.race([new Promise((resolve) => child.stdout.once('data', resolve)), ended]);
  await pause(lifeMs);
  child.kill('SIGKILL');
  const { lines, errors } = await ended;
  expect(errors).toBe('');
  return lines.map((line) => JSON.parse(line) as Acknowledged);
}
