import { appendFile, mkdir, mkdtemp, open, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRandom, rounds, seed } from '@devs/core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TRANSCRIPT_SOURCES } from '../../index.js';
import { readLedger } from '../read-ledger.js';
import { LINES } from './some-lines.js';

const sourceOf = (agent: string) => {
  const source = TRANSCRIPT_SOURCES.find((candidate) => candidate.agent === agent);
  if (source === undefined) throw new Error(`nobody reads ${agent}`);
  return source;
};
const [claude, codex, gemini, opencode] = ['claude', 'codex', 'gemini', 'opencode'].map(sourceOf) as [
  Source,
  Source,
  Source,
  Source,
];
type Source = (typeof TRANSCRIPT_SOURCES)[number];
const request = (text: string) => JSON.stringify({ type: 'user', message: { role: 'user', content: text } });

describe('a transcript that is not as it should be', () => {
  let folder: string;
  let path: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'devs-damaged-'));
    path = join(folder, 'c.jsonl');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it.each([claude, codex, gemini])('gives an empty ledger when it is empty ($agent)', async (source) => {
    await writeFile(path, '');
    const { ledger, tally } = await readLedger({ source, path });
    expect([ledger.step, tally.lines]).toEqual([0, 0]);
  });

  it.each([claude, codex, gemini])('counts unreadable lines when it is binary ($agent)', async (source) => {
    const random = createRandom(seed());
    await writeFile(path, Buffer.from(Array.from({ length: 300_000 }, () => random.below(256))));
    const { ledger, tally } = await readLedger({ source, path });
    expect(ledger.step).toBe(0);
    expect(tally.damagedLines).toBe(tally.lines);
    expect(tally.lines).toBeGreaterThan(500);
  });

  it('says that it is no database where opencode should have written it', async () => {
    await writeFile(path, request('hello'));
    await expect(readLedger({ source: opencode, path })).rejects.toThrow('in a form that is not known');
  });

  it.each([
    ['of another agent', LINES.codex?.(createRandom(1)) ?? ''],
    ['of a kind that nobody knows', '{"kind":"message","body":"hello"}'],
    ['of a type that is new', '{"type":"telepathy","message":{"content":"hello"}}'],
  ])('counts lines %s', async (_, line) => {
    await writeFile(path, `${line}\n${line}\n${request('hello')}\n`);
    const { ledger, tally } = await readLedger({ source: claude, path });
    expect(Object.values(tally.unknownTypes)).toEqual([2]);
    expect(ledger.requests).toHaveLength(1);
  });

  it('reads everything but the damaged lines, for any damage', async () => {
    const random = createRandom(seed());
    for (let round = 0; round < rounds(10, 1_500); round++) {
      const lines = Array.from({ length: 40 }, (_, index) => Buffer.from(request(`request ${index} ünïcödé`)));
      const hit = random.below(lines.length);
      const line = lines[hit] as Buffer;
      line[random.below(line.length)] = random.pick([0, 0x22, 0x5c, 0x7b, 0x7d, 0xff]);
      await writeFile(path, Buffer.concat(lines.flatMap((bytes) => [bytes, Buffer.from('\n')])));
      const { ledger } = await readLedger({ source: claude, path });
      const told = new Set(ledger.requests.map(({ from }) => from.line));
      for (let index = 0; index < lines.length; index++) if (index !== hit) expect(told).toContain(index + 1);
    }
  });

  it('continues after a hole left by a crash', async () => {
    await writeFile(path, `${request('before')}\n`);
    await truncate(path, 200_000); // filled with zeros
    await appendFile(path, `\n${request('after')}\n`);
    const { ledger, tally } = await readLedger({ source: claude, path });
    expect(ledger.requests.map(({ text }) => text)).toEqual(['before', 'after']);
    expect(tally.damagedLines).toBe(1);
  });

  it('rejects with the reason where the path is a folder', async () => {
    await mkdir(path);
    await expect(readLedger({ source: claude, path })).rejects.toMatchObject({ code: 'EISDIR' });
  });

  it('reads two million lines', async () => {
    const some = `{"type":"mode"}\n\n{"type":"new"}\nno json\n`.repeat(1_000);
    const file = await open(path, 'w');
    for (let written = 0; written < 2_000_000; written += 4_000) await file.write(some);
    await file.write(`${request('the last')}\n`);
    await file.close();
    const { ledger, tally } = await readLedger({ source: claude, path });
    expect(ledger.requests).toMatchObject([{ text: 'the last', from: { line: 2_000_001 } }]);
    expect(tally).toEqual({ lines: 1_500_001, damagedLines: 500_000, unknownTypes: { new: 500_000 } });
  });
});
