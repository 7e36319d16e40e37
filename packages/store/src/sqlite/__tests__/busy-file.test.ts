import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { openStore } from '@devs/core';
import { rounds } from '@devs/core/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openSqliteBackend } from '../open-sqlite-backend.js';
import { collect, type Ended, startProgram } from './run-program.js';
import { scratchFile } from './scratch.js';

const note = { type: 'note.written', data: { text: 'x' } };
const MINUTE = 60_000;
const EACH = rounds(10);

async function openHeld() {
  const file = scratchFile();
  const backend = openSqliteBackend({ file });
  onTestFinished(() => backend.close());
  const store = openStore({ backend, clock: Date, newId: randomUUID });
  await store.log.append('run:a', 0, [note]);
  const outcome = await store.leases.acquire({ name: 'run:a', by: 'anna', leaseMs: MINUTE });
  if (outcome.status !== 'acquired') throw new Error('held by somebody');
  return { file, store, held: { ...outcome.lease, leaseMs: MINUTE } };
}

/** Another process that holds the file for `ms`, `count` times. It holds the file when this resolves. */
async function startNeighbour(file: string, ms: number, count = 1) {
  const child = startProgram('hold-a-write', [file, String(ms), String(count)]);
  const ended: Promise<Ended> = collect(child);
  await once(child.stdout, 'data');
  return { ended, child };
}

/** A neighbour that commits 40 ms at a time, without a pause, until the test is over. */
async function startRestlessNeighbour(file: string) {
  const neighbour = await startNeighbour(file, 40, Number.POSITIVE_INFINITY);
  onTestFinished(async () => {
    neighbour.child.kill();
    await neighbour.ended;
  });
  return neighbour;
}

describe('[R1] a file that another process is writing to', () => {
  it('delays an append and a renewal; neither is lost nor blocks what follows', async () => {
    const { file, store, held } = await openHeld();
    const neighbour = await startNeighbour(file, 300);
    const [appended, isRenewed] = await Promise.all([
      store.log.append('run:a', 1, [note]),
      store.leases.renew(held),
      store.tasks.add([{ id: 'a', intent: 'do it' }]),
    ]);
    expect([appended.status, isRenewed]).toEqual(['appended', true]);
    expect((await store.log.append('run:a', 2, [note])).status).toBe('appended');
    expect(await neighbour.ended).toMatchObject({ code: 0, errors: '' });
  });

  it('can be read meanwhile, as it was before', async () => {
    const { file, store } = await openHeld();
    const neighbour = await startNeighbour(file, 300);
    const appending = store.log.append('run:a', 1, [note]);
    expect(await store.log.version('run:a')).toBe(1);
    await Promise.all([appending, neighbour.ended]);
    expect(await store.log.version('run:a')).toBe(2);
  });

  it('is written to in the order of asking', async () => {
    const { file, store } = await openHeld();
    const neighbour = await startNeighbour(file, 100);
    const appends = [1, 2, 3, 4].map((version) => store.log.append('run:a', version, [note]));
    expect((await Promise.all(appends)).map(({ status }) => status)).toEqual(appends.map(() => 'appended'));
    await neighbour.ended;
  });

  it('is shared with a neighbour that commits without a pause', async () => {
    const { file, store, held } = await openHeld();
    const { child } = await startRestlessNeighbour(file);
    for (let version = 1; version <= EACH; version++) {
      const [appended, isRenewed] = await Promise.all([
        store.log.append('run:a', version, [note]),
        store.leases.renew(held),
      ]);
      expect([appended.status, isRenewed]).toEqual(['appended', true]);
    }
    expect(child.exitCode).toBeNull();
  });

  it('takes what several wrote meanwhile in one transaction', async () => {
    const { file, store } = await openHeld();
    const neighbour = await startNeighbour(file, 300);
    const [versions, added] = await Promise.all([
      Promise.all([1, 2, 3].map((version) => store.log.append('run:a', version, [note]))),
      store.tasks.add([{ id: 'a', intent: 'do it' }]),
      neighbour.ended,
    ]);
    expect(versions.map(({ status }) => status)).toEqual(['appended', 'appended', 'appended']);
    expect(added).toHaveLength(1);
  });
});
