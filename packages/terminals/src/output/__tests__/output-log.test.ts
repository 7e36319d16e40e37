import { mkdtempSync, rmSync, statSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRandom, seed } from '@devs/core/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createOutputRing } from '../../host/output-ring.js';
import { openOutputLog } from '../output-log.js';
import { outputRoot, purgeOutput } from '../purge-output.js';
import { readOutput } from '../read-output.js';
import { listSegments } from '../segments.js';

const temporaryFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'devs-output-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

describe('output on disk', () => {
  it('holds everything printed, in segments, readable only by the user', async () => {
    const folder = join(temporaryFolder(), 'output', 'a');
    const random = createRandom(seed());
    const output = createOutputRing(1 << 20);
    const log = openOutputLog({ folder, output, segmentBytes: 1_000, totalBytes: 1 << 20 });
    let all = Buffer.alloc(0);
    for (let piece = 0; piece < 100; piece++) {
      const bytes = Buffer.alloc(random.below(300), String(piece));
      output.append(bytes);
      log.wake();
      if (random.chance(0.1)) await new Promise((resolve) => setTimeout(resolve, 20));
      all = Buffer.concat([all, bytes]);
    }
    await log.close();

    const segments = listSegments(folder);
    expect(segments.length).toBeGreaterThan(5);
    for (const { path, bytes } of segments) {
      expect((statSync(path).mode & 0o777).toString(8)).toBe('600');
      expect(bytes).toBeLessThanOrEqual(1_000);
    }
    const read = (from: number, to: number) =>
      Buffer.concat(readOutput(folder, { from, to }).map(({ bytes }) => bytes)).toString();
    expect(read(0, all.length)).toBe(all.toString());
    expect(read(1_234, 5_678)).toBe(all.subarray(1_234, 5_678).toString());
  });

  it('holds no more than it may: the oldest goes', async () => {
    const folder = join(temporaryFolder(), 'a');
    const output = createOutputRing(1 << 20);
    output.append(Buffer.alloc(50_000, 'x'));
    const log = openOutputLog({ folder, output, segmentBytes: 1_000, totalBytes: 5_000 });
    await log.close();
    const segments = listSegments(folder);
    expect(segments.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(5_000);
    expect(segments.at(-1)).toMatchObject({ offset: 49_000, bytes: 1_000 });
  });

  it('leaves out what a slow disk cannot take, and shows the gap', async () => {
    const folder = join(temporaryFolder(), 'a');
    let memory = { start: 0, end: 5, text: 'first' }; // it holds little
    const output = {
      get start() {
        return memory.start;
      },
      get end() {
        return memory.end;
      },
      lend: (from: number) => ({ bytes: Buffer.from(memory.text.slice(from - memory.start)), giveBack: () => {} }),
    };
    const log = openOutputLog({ folder, output });
    log.wake();
    while (readOutput(folder, { from: 0, to: 99 }).length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    memory = { start: 2_005, end: 2_009, text: 'last' }; // the bytes between were lost before the disk was ready
    await log.close();
    expect(readOutput(folder, { from: 0, to: 9_999 }).map(({ offset, bytes }) => [offset, bytes.toString()])).toEqual([
      [0, 'first'],
      [2_005, 'last'],
    ]);
  });

  it('continues without a log when the disk refuses', async () => {
    const output = createOutputRing(4_096);
    const log = openOutputLog({ folder: '/dev/null/nowhere', output });
    for (const text of ['x', 'y']) {
      output.append(Buffer.from(text));
      log.wake();
      await expect(log.close()).resolves.toBeUndefined();
    }
  });

  it('is removed when its time is over, and nothing else is', async () => {
    const folder = temporaryFolder();
    const now = Date.now();
    for (const name of ['old', 'new']) {
      const output = createOutputRing(4_096);
      output.append(Buffer.from(name));
      await openOutputLog({ folder: join(outputRoot(folder), name, '1-1'), output }).close();
    }
    const [old] = listSegments(join(outputRoot(folder), 'old', '1-1'));
    utimesSync(old?.path ?? '', new Date(now - 10_000), new Date(now - 10_000));
    expect(purgeOutput({ folder, now, olderThanMs: 5_000 })).toBe(3);
    expect(statSync(join(outputRoot(folder), 'old'), { throwIfNoEntry: false })).toBeUndefined();
    expect(listSegments(join(outputRoot(folder), 'new', '1-1'))).toHaveLength(1);
  });
});
