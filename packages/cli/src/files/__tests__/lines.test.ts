import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { collect } from '@devs/core';
import { afterAll, describe, expect, it } from 'vitest';
import { confirm, pick } from '../confirm.js';
import { readLines } from '../read-text.js';
import { writeLines } from '../write-lines.js';

const folder = mkdtempSync(join(tmpdir(), 'devs-lines-'));
afterAll(() => rmSync(folder, { recursive: true }));
const stdout = new PassThrough();

describe('lines', () => {
  it.each(['a\nb\n', 'a\nb'])('are read from %j', async (content) => {
    const file = join(folder, 'read.txt');
    writeFileSync(file, content);

    expect(await collect(readLines(file))).toEqual(['a', 'b']);
  });

  it('of a large file come in pieces and are whole', async () => {
    const file = join(folder, 'large.txt');
    const lines = Array.from({ length: 20_000 }, (_, index) => `line ${index} 漢字`);
    writeFileSync(file, lines.join('\n'));

    expect(await collect(readLines(file))).toEqual(lines);
  });

  it('of a file that is not there are asked for in vain', async () => {
    await expect(collect(readLines(join(folder, 'nowhere')))).rejects.toThrow('there is no file');
  });

  it('are written to a new file, and over none', async () => {
    const file = join(folder, 'written.txt');
    const lines = async function* () {
      yield 'one';
      yield 'two';
      return 2;
    };

    expect(await writeLines(file, lines(), stdout)).toBe(2);
    expect(readFileSync(file, 'utf8')).toBe('one\ntwo\n');
    await expect(writeLines(file, lines(), stdout)).rejects.toThrow('already exists');
    await expect(writeLines(join(folder, 'no', 'where'), lines(), stdout)).rejects.toThrow('Name another file');
    await writeLines(undefined, lines(), stdout);
    stdout.end();
    expect(await text(stdout)).toBe('one\ntwo\n');
  });

  it('leave nothing behind when they cannot all be written', async () => {
    const file = join(folder, 'half.txt');
    const lines = async function* (): AsyncGenerator<string, number> {
      yield 'one';
      throw new Error('the store is gone');
    };

    await expect(writeLines(file, lines(), stdout)).rejects.toThrow('the store is gone');
    expect(() => readFileSync(file)).toThrow('ENOENT');
  });
});

describe('a question', () => {
  type Terminal = Parameters<typeof confirm>[1];
  const ask = <Result>(typed: string | undefined, question: (terminal: Terminal) => Promise<Result>) => {
    const stdin = Object.assign(new PassThrough(), { isTTY: true }) as unknown as NodeJS.ReadStream & { fd: 0 };
    const stderr = Object.assign(new PassThrough(), { isTTY: true }) as unknown as NodeJS.WriteStream & { fd: 2 };
    const answer = question({ stdin, stderr });
    if (typed === undefined) (stdin as unknown as PassThrough).end();
    else (stdin as unknown as PassThrough).write(typed);
    return answer;
  };

  it.each([
    ['y\n', 'yes'],
    ['YES\n', 'yes'],
    ['\n', 'no'],
    ['yes please\n', 'no'],
    [undefined, 'no'],
  ])('answered with %j means %s', async (typed, answer) => {
    expect(await ask(typed, (terminal) => confirm('Really?', terminal))).toBe(answer);
  });

  it.each([
    ['2\n', 1],
    ['3\n', undefined],
    ['0\n', undefined],
    ['\n', undefined],
    ['two\n', undefined],
    [undefined, undefined],
  ])('about two choices, answered with %j, gives the index %j', async (typed, index) => {
    expect(await ask(typed, (terminal) => pick(['one', 'two'], terminal))).toBe(index);
  });

  it('is not asked without a terminal', async () => {
    const stream = new PassThrough() as never;

    expect(await confirm('Really?', { stdin: stream, stderr: stream })).toBe('cannot-ask');
    expect(await pick(['one', 'two'], { stdin: stream, stderr: stream })).toBeUndefined();
  });
});
