import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { rounds } from '@devs/core/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type HoldRequest, holdFile } from '../hold-file.js';

function place() {
  const folder = mkdtempSync(join(tmpdir(), 'devs-hold-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'a.lock');
  const hold = (changes: Partial<HoldRequest> = {}) => holdFile({ file, host: hostname(), waitMs: 10_000, ...changes });
  const get = async (changes: Partial<HoldRequest> = {}) => {
    const held = await hold(changes);
    if (held.outcome !== 'held') throw new Error(JSON.stringify(held));
    return held;
  };
  return { file, hold, get };
}

async function pidOfEnded(): Promise<number> {
  const child = spawn(process.execPath, ['-e', '0']);
  await once(child, 'exit');
  return child.pid ?? 0;
}

describe('a held file', () => {
  it('has one holder at a time, and the next one gets it when it is released', async () => {
    const { file, get } = place();
    const order: string[] = [];
    await Promise.all(
      ['a', 'b', 'c', 'd'].map(async (name) => {
        const held = await get();
        order.push(`${name} begins`);
        await new Promise(setImmediate);
        order.push(`${name} ends`);
        await held.release();
      }),
    );
    expect(order).toHaveLength(8);
    for (let i = 0; i < order.length; i += 2) expect(order[i + 1]).toBe(order[i]?.replace('begins', 'ends'));
    expect(existsSync(file)).toBe(false);
  });

  it('is taken from a process of this machine that is gone', async () => {
    const { file, get } = place();
    writeFileSync(file, `${await pidOfEnded()} ${hostname()} x\n`);
    const held = await get({ waitMs: 0 });
    expect(readFileSync(file, 'utf8')).toMatch(new RegExp(`^${process.pid} `));
    await held.release();
  });

  it('is taken by exactly one contender once its holder is gone', async () => {
    const { file, get } = place();
    const gone = await pidOfEnded();
    for (let round = 0; round < rounds(20, 2_000); round++) {
      writeFileSync(file, `${gone} ${hostname()} x\n`);
      let holders = 0;
      await Promise.all(
        Array.from({ length: 8 }, async () => {
          const held = await get();
          expect(++holders).toBe(1);
          await new Promise(setImmediate);
          holders -= 1;
          await held.release();
        }),
      );
    }
  });

  it('is taken although the process that was about to take it is gone, too', async () => {
    const { file, get } = place();
    const gone = await pidOfEnded();
    writeFileSync(file, `${gone} ${hostname()} x\n`);
    writeFileSync(`${file}.next`, `${gone} ${hostname()} y\n`);
    await (await get()).release();
    expect(readdirSync(dirname(file))).toEqual([]);
  });

  it('stays with another machine while it gives signs of life', async () => {
    const { file, hold } = place();
    writeFileSync(file, `${await pidOfEnded()} elsewhere x\n`);
    expect(await hold({ waitMs: 0 })).toMatchObject({ outcome: 'busy', by: expect.stringContaining('elsewhere') });
  });

  it.each([
    ['long ago', -3_600],
    ['in the future, by a clock that was set back', 3_600],
  ])('is taken from a holder whose last sign of life was %s', async (_, seconds) => {
    const { file, get } = place();
    writeFileSync(file, '1 elsewhere x\n');
    const then = Date.now() / 1_000 + seconds;
    utimesSync(file, then, then);
    await (await get({ waitMs: 0 })).release();
  });

  it('is left alone by a holder who lost it', async () => {
    const { file, get } = place();
    const held = await get();
    writeFileSync(file, `${process.pid} ${hostname()} another\n`);
    await held.release();
    expect(existsSync(file)).toBe(true);
  });

  it('is waited for until the caller calls it off', async () => {
    const { hold, get } = place();
    const held = await get();
    const stop = new AbortController();
    const waiting = hold({ signal: stop.signal });
    stop.abort();
    expect(await waiting).toEqual({ outcome: 'cancelled' });
    await held.release();
  });
});
