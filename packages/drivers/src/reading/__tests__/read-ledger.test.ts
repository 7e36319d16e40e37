import { appendFile, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRandom, type Random, rounds, seed } from '@devs/core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TRANSCRIPT_SOURCES } from '../../index.js';
import { type KeptReading, readLedger } from '../read-ledger.js';
import type { TranscriptSource } from '../transcript-source.js';
import { LINES, type LineMaker } from './some-lines.js';

const sourceOf = (agent: string) => TRANSCRIPT_SOURCES.find((source) => source.agent === agent) as TranscriptSource;
const throughJson = (kept: KeptReading): unknown => JSON.parse(JSON.stringify(kept));

describe('reading the ledger of a transcript', () => {
  let folder: string;
  let path: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'devs-ledger-'));
    path = join(folder, 'c.jsonl');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const linesOf = (make: LineMaker, random: Random, count: number) =>
    Buffer.from(Array.from({ length: count }, () => `${make(random)}\n`).join(''));

  it.each(Object.entries(LINES))(
    '[H14] gives the same in any number of parts as at once, for %s',
    async (agent, make) => {
      const random = createRandom(seed());
      for (let round = 0; round < rounds(20, 3_000); round++) {
        const bytes = linesOf(make, random, 1 + random.below(60));
        const whole = await readInParts(agent, bytes, [bytes.length]);
        const cuts = Array.from({ length: random.below(8) }, () => random.below(bytes.length + 1));
        const parts = await readInParts(agent, bytes, [...cuts, bytes.length]);
        expect(parts.startedOver).toBe(false);
        expect(parts.ledger).toEqual(whole.ledger);
        expect(throughJson(parts.kept)).toEqual({ ...whole.kept, place: expect.anything() });
        expect([parts.tally, parts.overlongLines]).toEqual([whole.tally, whole.overlongLines]);
      }
    },
  );

  /** Reads it each time it has grown to one of these lengths, always from the previous state. */
  async function readInParts(agent: string, bytes: Buffer, lengths: readonly number[]) {
    await writeFile(path, '');
    let reading = await readLedger({ source: sourceOf(agent), path });
    for (const length of [...lengths].sort((a, b) => a - b)) {
      const written = (await readFile(path)).length;
      await appendFile(path, bytes.subarray(written, length));
      reading = await readLedger({ source: sourceOf(agent), path, kept: throughJson(reading.kept) });
    }
    return reading;
  }

  const claude = sourceOf('claude');
  const replaceBy = async (text: string) => {
    await writeFile(`${path}.new`, text);
    await rename(`${path}.new`, path);
  };
  const said = (text: string) => `${JSON.stringify({ type: 'user', message: { content: text } })}\n`;
  const requests = ({ ledger }: Awaited<ReturnType<typeof readLedger>>) => ledger.requests.map(({ text }) => text);

  it('reads only new lines', async () => {
    await writeFile(path, said('one'));
    const { kept } = await readLedger({ source: claude, path });
    // Earlier text is not read again, so changes in the middle stay unnoticed.
    const filler = said('x'.repeat(5_000));
    await appendFile(path, filler + filler);
    const later = await readLedger({ source: claude, path, kept });
    await appendFile(path, said('two'));
    const last = await readLedger({ source: claude, path, kept: later.kept });
    expect([last.startedOver, requests(last).at(-1)]).toEqual([false, 'two']);
    expect(requests(last)).toHaveLength(4);
  });

  it.each([
    ['shrank', async () => writeFile(path, said('a'))],
    ['was written anew', async () => writeFile(path, said('another') + said('conversation') + said('of more'))],
    ['is another one in its place', () => replaceBy(said('one') + said('two'))],
  ])('starts over when the file %s', async (_, change) => {
    await writeFile(path, said('one') + said('two'));
    const { kept } = await readLedger({ source: claude, path });
    await change();
    const again = await readLedger({ source: claude, path, kept });
    const anew = await readLedger({ source: claude, path });
    expect([again.startedOver, anew.startedOver]).toEqual([true, false]);
    expect(again).toEqual({ ...anew, startedOver: true });
  });

  it.each<[string, (kept: KeptReading) => unknown]>([
    ['of another version', (kept) => ({ ...kept, version: 0 })],
    ['of another agent', (kept) => ({ ...kept, agent: 'codex' })],
    ['of another transcript', (kept) => ({ ...kept, path: '/elsewhere.jsonl' })],
    ['whose ledger is damaged', (kept) => ({ ...kept, ledger: { ...Object(kept.ledger), files: [1] } })],
    ['whose place is damaged', (kept) => ({ ...kept, place: { position: {} } })],
    ['that is nothing of the kind', () => 'kept'],
  ])('ignores a reading %s', async (_, change) => {
    await writeFile(path, said('one'));
    const { kept } = await readLedger({ source: claude, path });
    const again = await readLedger({ source: claude, path, kept: change(kept) });
    expect([again.startedOver, requests(again)]).toEqual([true, ['one']]);
  });

  it('rejects where there is no file', async () => {
    await expect(readLedger({ source: claude, path })).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
