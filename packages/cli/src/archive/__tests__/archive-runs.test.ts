import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { collect, createRunReader, type OpenedStore, readRuns, runEventOf, runStream } from '@devs/core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createBusyStore } from '../../debug/record/__tests__/busy-store.js';
import { verifyRecord } from '../../debug/record/verify-record.js';
import { findRun } from '../../run/find-run.js';
import { readLines } from '../archive-file.js';
import { archiveRuns, findArchivable } from '../archive-runs.js';

const DAY_MS = 86_400_000;

function world() {
  const folder = mkdtempSync(join(tmpdir(), 'devs-archive-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const busy = createBusyStore();
  const dropped: string[] = [];
  const request = () => ({
    folder: join(folder, 'archive'),
    now: busy.clock.now(),
    olderThanMs: 7 * DAY_MS,
    dropWork: async ({ id }: { readonly id: string }) => dropped.push(id),
  });
  return { ...busy, folder, dropped, request };
}

/** A run with an agent's terminal, to its end. */
async function addRun(
  { store }: Pick<OpenedStore, 'store'>,
  id: string,
  { task, merged = true }: { readonly task?: string; readonly merged?: boolean } = {},
): Promise<void> {
  const plan = { request: `Do ${id}`, workflow: 'default', agent: 'claude', place: 'own', folder: '/project' } as const;
  const of = task === undefined ? {} : { task: { id: task, fence: 1 } };
  const events = [
    runEventOf({ type: 'run.prepared', ...plan, ...of }),
    runEventOf({ type: 'worktree.made', path: `/w/${id}`, branch: `devs/${id}`, base: 'a'.repeat(40) }),
    runEventOf({ type: 'run.begun', by: 'me', terminal: `claude-${id}` }),
    runEventOf({ type: 'head.observed', commit: 'b'.repeat(40) }),
    runEventOf({ type: 'run.finished', outcome: 'done', detail: 'complete' }),
    ...(merged ? [runEventOf({ type: 'run.merged', into: 'main', commit: 'c'.repeat(40) })] : []),
  ];
  await store.log.append(runStream(id), 0, events);
  await store.log.append(`terminal:claude-${id}`, 0, [{ type: 'terminal.started', data: { agent: 'claude' } }]);
}

describe('an archive of runs', () => {
  it('has the events of runs that are long over, and the store only their outcome', async () => {
    const own = world();
    const { store, clock, request, dropped } = own;
    await addRun(own, 'old-1');
    await addRun(own, 'old-2');
    await store.handoffs.save('old-1', { upTo: 3, text: 'go on' });
    clock.advance(8 * DAY_MS);
    await addRun(own, 'young');
    const before = await store.log.read({ stream: 'run:old-1' });

    const archived = await archiveRuns(own, 'me', request());

    expect(archived).toMatchObject({ runs: 2, events: 14 });
    const lines = (await collect(readLines(archived.files[0] ?? ''))).map((line) => JSON.parse(line));
    expect(lines[0]).toMatchObject({ devs_archive: 1, runs: ['old-1', 'old-2'] });
    expect(lines.filter(({ stream }) => stream === 'run:old-1')).toEqual(before);
    for (const stream of ['run:old-1', 'terminal:claude-old-1', 'run:old-2'])
      expect(await store.log.read({ stream })).toEqual([]);
    expect(await store.handoffs.load('old-1')).toBeUndefined();
    expect(await store.log.version('run:old-1')).toBe(6);
    expect(dropped).toEqual(['old-1', 'old-2']);
    const runs = await readRuns(own);
    expect(runs.map(({ id, archived: file }) => [id, file])).toEqual([
      ['old-1', archived.files[0]],
      ['old-2', archived.files[0]],
      ['young', undefined],
    ]);
    expect(runs[0]).toMatchObject({ phase: { kind: 'finished', outcome: 'done' }, merged: { commit: 'c'.repeat(40) } });
    expect(() => findRun(runs, 'old-1')).toThrow(/old-1 is archived in .*archive.runs-/);
    expect(findRun(runs, undefined).id).toBe('young');
    expect((await verifyRecord(own)).problems).toEqual([]);
    expect(await archiveRuns(own, 'me', request())).toMatchObject({ runs: 0, files: [] });
  });

  it('has texts with any line break, and an end by which a cut-off file is known', async () => {
    const own = world();
    const text = `One\u2028two\u2029three\rfour\u0085five ${'🚀'.repeat(50_000)}`;
    await addRun(own, 'old');
    await own.store.log.append(runStream('old'), 6, [{ type: 'note.written', data: { text } }]);
    await own.store.log.append('run:other', 0, [{ type: 'note.written', data: {} }]);
    own.clock.advance(8 * DAY_MS);
    const [file = ''] = (await archiveRuns(own, 'me', own.request())).files;
    const lines = (await collect(readLines(file))).map((line) => JSON.parse(line));
    expect(lines.find(({ type }) => type === 'note.written')).toMatchObject({ data: { text } });
    truncateSync(file, statSync(file).size - 30);
    const left = await collect(readLines(file)).catch(() => []); // zstd does not tell
    expect(left.length).toBeLessThan(lines.length);
    expect(lines.at(-1)).toEqual({ events: 8 });
  });

  it('leaves runs whose work is not merged or is awaited', async () => {
    const own = world();
    await own.store.tasks.add([{ id: 'one', intent: 'One' }]);
    await own.store.tasks.complete({ id: 'one' });
    await own.store.tasks.add([{ id: 'two', intent: 'Two', depends_on: ['one'] }]);
    await addRun(own, 'open', { merged: false });
    await addRun(own, 'of-one', { task: 'one' });
    await addRun(own, 'free');
    await own.store.log.append('run:begun', 0, [
      runEventOf({ type: 'run.prepared', request: 'Go', workflow: 'w', agent: 'a', place: 'own', folder: '/' }),
    ]);
    own.clock.advance(8 * DAY_MS);
    expect((await findArchivable(own, own.request())).map(({ id }) => id)).toEqual(['free']);
    await own.store.tasks.complete({ id: 'two' });
    expect((await findArchivable(own, own.request())).map(({ id }) => id)).toEqual(['of-one', 'free']);
  });

  it('removes nothing where the file cannot be written, and finishes what was interrupted', async () => {
    const own = world();
    const { store, backend, request } = own;
    await addRun(own, 'old');
    own.clock.advance(8 * DAY_MS);
    await store.log.append('run:other', 0, [{ type: 'note.written', data: {} }]);
    await expect(archiveRuns(own, 'me', { ...request(), folder: '/dev/null/none' })).rejects.toThrow();
    expect(await store.log.read({ stream: 'run:old' })).toHaveLength(6);

    const dying = {
      ...backend,
      trim: async () => {
        throw new Error('killed');
      },
    };
    await expect(archiveRuns({ store, backend: dying }, 'me', request())).rejects.toThrow('killed');
    expect(await store.log.read({ stream: 'run:old' })).toHaveLength(6);
    expect(await archiveRuns(own, 'me', request())).toMatchObject({ runs: 0 });
    expect(await store.log.read({ stream: 'run:old' })).toEqual([]);
    expect(readdirSync(request().folder).filter((name) => name.endsWith('.part'))).toEqual([]);
    expect(existsSync(request().folder)).toBe(true);
  });

  it('is known to a machine that folded the runs before', async () => {
    const own = world();
    await addRun(own, 'old');
    const reader = createRunReader(own.store);
    expect((await reader.read()).runs[0]?.archived).toBeUndefined();
    own.clock.advance(8 * DAY_MS);
    const { files } = await archiveRuns(own, 'me', own.request());
    expect((await reader.read()).runs[0]?.archived).toBe(files[0]);
  });
});
