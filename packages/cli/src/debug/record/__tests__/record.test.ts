import { collect } from '@devs/core';
import { createMemoryDisk, createRandom, type MemoryDisk, rounds, seed } from '@devs/core/testing';
import { describe, expect, it } from 'vitest';
import { exportLog } from '../../debug-export.js';
import { readExport } from '../read-export.js';
import { restoreLog } from '../restore-log.js';
import { verifyRecord } from '../verify-record.js';
import { createBusyStore, doSomething } from './busy-store.js';

async function busyStore(number: number, things = 150) {
  const random = createRandom(number);
  const world = createBusyStore();
  for (let thing = 0; thing < things; thing++) await doSomething(world.store, random, world.clock);
  return world;
}

const exported = ({ store }: ReturnType<typeof createBusyStore>) => collect(exportLog(store));
const linesOf = async function* (lines: readonly string[]) {
  yield* lines;
};

async function restored(lines: readonly string[], signal = new AbortController().signal) {
  const world = createBusyStore();
  let ids = 0;
  const stored = await restoreLog(readExport(linesOf(lines)), {
    backend: world.backend,
    newId: () => `restored-${++ids}`,
    signal,
  });
  return { ...world, stored };
}

const byId = (disk: MemoryDisk) => Object.fromEntries(disk.tasks);

describe('the record', () => {
  it('follows from the log, after any actions', async () => {
    for (let round = 0; round < rounds(20); round++) {
      const world = await busyStore(seed() + round);

      const { problems, tasks } = await verifyRecord(world);

      expect(problems, `seed ${seed() + round}`).toEqual([]);
      expect(tasks).toBe(world.disk.tasks.size);
    }
  });

  it('is the same again from an export, to the last lease and byte', async () => {
    for (let round = 0; round < rounds(20); round++) {
      const world = await busyStore(seed() + round);
      const lines = await exported(world);

      const again = await restored(lines);

      expect(again.disk.events, `seed ${seed() + round}`).toEqual(world.disk.events);
      expect(byId(again.disk)).toEqual(byId(world.disk));
      expect(await exported(again)).toEqual(lines);
      expect(await again.store.state()).toEqual(await world.store.state());
    }
  });
});

describe('verify says what is wrong:', () => {
  const spoil = async (change: (disk: MemoryDisk) => void) => {
    const world = createBusyStore();
    await world.store.tasks.add([
      { id: 'a', intent: 'do a' },
      { id: 'b', intent: 'do b' },
    ]);
    await world.store.tasks.complete({ id: 'a', result: 'works' });
    await world.store.log.append('run:x', 0, [{ type: 'note.written', data: {} }]);
    change(world.disk);
    return (await verifyRecord(world)).problems;
  };
  const change = (disk: MemoryDisk, id: string, changes: object) => {
    const task = disk.tasks.get(id);
    if (task !== undefined) disk.tasks.set(id, { ...task, ...changes });
  };

  it.each<[string, (disk: MemoryDisk) => void, string[]]>([
    ['nothing', () => {}, []],
    [
      'a changed task',
      (disk) => change(disk, 'a', { result: 'other', priority: 4 }),
      ['task a: its record differs from what the log says in priority, result'],
    ],
    ['a lost task', (disk) => disk.tasks.delete('b'), ['task b: the log holds it, and there is no record of it']],
    [
      'a task ahead of its stream',
      (disk) => change(disk, 'b', { version: 9 }),
      ['task b: its record is at version 9, its stream never was'],
    ],
    [
      'a lost event',
      (disk) => disk.events.splice(1, 1),
      ['log: behind position 1 comes 3', 'task b: its record is at version 1, its stream never was'],
    ],
    [
      'a lost version',
      (disk) => disk.events.splice(3, 1, { ...(disk.events[3] as MemoryDisk['events'][number]), version: 2 }),
      ['run:x: behind version 0 comes 2'],
    ],
  ])('%s', async (_what, spoiled, problems) => {
    expect(await spoil(spoiled)).toEqual(problems);
  });

  it('a snapshot that is not the fold', async () => {
    const problems = await spoil((disk) => {
      const state = {
        schema_version: 1,
        position: 3,
        completed_tasks: [],
        finished_count: 7,
        blocked_tasks: [],
        active_tasks: [],
      };
      disk.snapshots.set('supervisor-state', { position: 3, state });
    });

    expect(problems).toEqual(['state: it differs from the fold of the log in completed_tasks, finished_count']);
  });
});

describe('an export', () => {
  const event = (position: number, changes: object = {}) =>
    JSON.stringify({ position, stream: 'run:a', version: position, at: 1, type: 'note.written', data: {}, ...changes });
  const HEADER = '{"devs_log":1}';
  const footer = (events: number) => JSON.stringify({ events, leases: [] });

  it.each([
    ['cut off', [HEADER, event(1)], 'the export is cut off behind line 2'],
    ['empty', [], 'the export is cut off behind line 0'],
    ['of something else', ['{"a":1}'], 'line 1 of the export: this is no export'],
    ['with a line that is no JSON', [HEADER, '{"posi'], 'line 2 of the export: it is no JSON'],
    ['with a line that is no object', [HEADER, '7'], 'line 2 of the export: it is no JSON object'],
    ['with a gap', [HEADER, event(2), footer(1)], 'line 2 of the export: position 1 is missing'],
    ['with a version missing', [HEADER, event(1, { version: 2 })], 'version 1 of run:a is missing'],
    ['with a bad stream', [HEADER, event(1, { stream: '../a' })], 'line 2 of the export: it is no event'],
    ['with a count that is wrong', [HEADER, event(1), footer(2)], '2 events are promised, 1 are there'],
    ['with a bad end', [HEADER, '{"events":0,"leases":[7]}'], 'line 2 of the export: it is no end of an export'],
    ['that goes on', [HEADER, footer(0), event(1)], 'line 3 of the export: there is more behind the end'],
  ])('%s is refused', async (_what, lines, message) => {
    await expect(collect(readExport(linesOf(lines)))).rejects.toThrow(message);
  });

  it('may have empty lines at its end', async () => {
    expect(await collect(readExport(linesOf([HEADER, event(1), footer(1), '', ''])))).toHaveLength(2);
  });

  it('stops between two commits when it is interrupted', async () => {
    const stop = new AbortController();
    stop.abort();
    const { stored, disk } = await restored([HEADER, event(1), event(2), footer(2)], stop.signal);

    expect([stored, disk.events]).toEqual([0, []]);
  });

  it('is not mixed with concurrent writes', async () => {
    const { backend } = createBusyStore(createMemoryDisk());
    await backend.commit({
      id: 'x',
      at: 1,
      streams: [{ stream: 'run:a', expectedVersion: 0, events: [{ type: 'note.written', data: {} }] }],
      tasks: [],
    });
    const restoring = restoreLog(readExport(linesOf([HEADER, event(1), footer(1)])), {
      backend,
      newId: () => 'y',
      signal: new AbortController().signal,
    });

    await expect(restoring).rejects.toThrow('another process has written to the store');
  });
});
