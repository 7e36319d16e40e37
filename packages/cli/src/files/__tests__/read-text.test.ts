import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, describe, expect, it } from 'vitest';
import { readText } from '../read-text.js';

const folder = mkdtempSync(join(tmpdir(), 'devs-read-'));
afterAll(() => rmSync(folder, { recursive: true }));

const MEGABYTE = Buffer.alloc(1024 * 1024, ' ');

function read(
  path: string | undefined,
  { chunks = [], isTTY = false }: { chunks?: readonly Uint8Array[]; isTTY?: boolean } = {},
) {
  const complaints: string[] = [];
  const stdin = Object.assign(Readable.from(chunks), { isTTY });
  const text = readText(path, { stdin, warn: (line) => void complaints.push(line) });
  return { text, complaints };
}

describe('readText', () => {
  it('keeps a byte-order mark, which is part of what arrived', async () => {
    const file = join(folder, 'bom.json');
    writeFileSync(file, '\ufeff{}');

    expect(await read(file).text).toBe('\ufeff{}');
  });

  it('joins characters that chunks split, and drops an incomplete one at the end', async () => {
    const bytes = Buffer.from('aéé');

    expect(await read(undefined, { chunks: [bytes.subarray(0, 2), bytes.subarray(2, 4)] }).text).toBe('aé');
  });

  it('tells a user at a keyboard what it waits for', async () => {
    const { text, complaints } = read(undefined, { isTTY: true });

    expect(await text).toBe('');
    expect(complaints).toEqual([expect.stringContaining('end with Ctrl-D')]);
  });

  it.each([
    {
      what: 'UTF-16',
      chunks: [Uint8Array.of(0xff, 0xfe, 0x7b, 0x00)],
      says: 'stdin is not UTF-8 text. Convert it first',
    },
    { what: 'too much', chunks: Array<Uint8Array>(101).fill(MEGABYTE), says: 'stdin is larger than 100 MB' },
  ])('refuses $what, and says what to do', async ({ chunks, says }) => {
    await expect(read(undefined, { chunks }).text).rejects.toThrow(says);
  });

  it('refuses a file that is too large', async () => {
    const file = join(folder, 'large');
    writeFileSync(file, '');
    truncateSync(file, 101 * MEGABYTE.length);

    await expect(read(file).text).rejects.toThrow('is larger than 100 MB');
  });

  it('refuses a path that goes through a file', async () => {
    const file = join(folder, 'file');
    writeFileSync(file, '');

    await expect(read(join(file, 'below')).text).rejects.toThrow('there is no file');
  });

  it('rejects an unreadable file', async ({ skip }) => {
    skip(process.getuid?.() === 0, 'root may read everything');
    const file = join(folder, 'secret');
    writeFileSync(file, '', { mode: 0o000 });

    await expect(read(file).text).rejects.toThrow('Look at its permissions');
  });
});
