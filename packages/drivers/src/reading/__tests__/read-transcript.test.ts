import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ConversationEvent } from '@devs/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createClaudeCodeParser } from '../../claude-code/create-claude-code-parser.js';
import type { ReadPosition } from '../line-splitter.js';
import { readTranscript } from '../read-transcript.js';

const line = (text: string) => JSON.stringify({ type: 'user', message: { content: text } });

describe('reading a transcript', () => {
  let folder: string;
  let path: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'devs-transcript-'));
    path = join(folder, 'c.jsonl');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function read(from?: ReadPosition) {
    const events: ConversationEvent[] = [];
    const result = await readTranscript({
      path,
      parser: createClaudeCodeParser(),
      ...(from === undefined ? {} : { from }),
      onEvents: (more) => void events.push(...more),
    });
    return { ...result, said: events.map((event) => ('text' in event ? event.text : '')), events };
  }

  it('continues where it stopped when the file has grown', async () => {
    await writeFile(path, `${line('one')}\n`);
    const first = await read();
    await appendFile(path, `${line('zwei ü')}\n${line('three')}\n`);
    const second = await read(first.next);

    expect([first.said, second.said]).toEqual([['one'], ['zwei ü', 'three']]);
    expect(second.events.map(({ from }) => from.line)).toEqual([2, 3]);
    expect((await read(second.next)).said).toEqual([]);
  });

  it('leaves a half-written last line for later', async () => {
    const whole = line('two');
    await writeFile(path, `${line('one')}\n${whole.slice(0, 20)}`);
    const first = await read();
    await appendFile(path, `${whole.slice(20)}\n`);

    expect([first.said, (await read(first.next)).said]).toEqual([['one'], ['two']]);
  });

  it('reads a last line that is whole but has no line break', async () => {
    await writeFile(path, line('one'));
    const first = await read();
    await appendFile(path, `\n${line('two')}\n`);
    expect([first.said, (await read(first.next)).said]).toEqual([['one'], ['two']]);
  });

  it('starts over when the file became another one', async () => {
    await writeFile(path, `${line('a long beginning')}\n`);
    const { next } = await read();
    await writeFile(path, `${line('x')}\n`);
    expect(await read(next)).toMatchObject({ said: ['x'], startedOver: true });
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['bytes that are no text', Buffer.from(Array.from({ length: 5_000 }, (_, index) => (index * 7) % 256))],
    ['lines across chunks', Buffer.from(`${line('x'.repeat(3 << 20))}\n`)],
  ])('survives a file with %s', async (_, bytes) => {
    await writeFile(path, bytes);
    await expect(read()).resolves.toMatchObject({ overlongLines: 0 });
  });

  it('rejects where there is no file', async () => {
    await expect(read()).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
