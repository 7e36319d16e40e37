import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { TaskRecord } from '@devs/core';
import { describe, expect, it } from 'vitest';
import { runQueue } from '../run-queue.js';
import { newRun, openRunWorld, type RunWorld, type RunWorldOptions } from './run-world.js';

/** Every task is one step, whose instructions are the task's description. */
async function openQueue(options: RunWorldOptions = {}) {
  const here = await openRunWorld({ git: true, ...options });
  const planFor = async ({ intent, description = '' }: TaskRecord) =>
    newRun(here.template([{ id: 'do', instructions: description }]), here.world.project, true, {
      request: intent,
    }) as never;
  return { here, work: (parallel = 1, more = {}) => runQueue({ ...here.parts, planFor, parallel, ...more }) };
}

const beginnings = async ({ world }: RunWorld) =>
  (await world.store.log.read({ limit: 100_000 }))
    .filter(({ type }) => type === 'run.prepared')
    .map(({ data }) => (data.task as { id: string }).id);

describe('the queue', () => {
  it('is worked off in the order of its dependencies, each task in a worktree of its own, with what came of it', async () => {
    const { here, work } = await openQueue();
    await here.world.store.tasks.add([
      { id: 'C', intent: 'Third', description: '@write c.txt @commit', depends_on: ['B'], priority: 9 },
      { id: 'A', intent: 'First', description: '@write a.txt @commit' },
      { id: 'B', intent: 'Second', description: '@write b.txt @commit', depends_on: ['A'], priority: 9 },
    ]);
    expect(await work()).toEqual({ done: ['A', 'B', 'C'], failed: [], blocked: [], paused: [] });
    expect(await beginnings(here)).toEqual(['A', 'B', 'C']);
    for (const id of ['A', 'B', 'C']) {
      const task = await here.world.store.tasks.get(id);
      expect(task?.status).toBe('done');
      expect(task?.result).toMatch(/Commits: /);
    }
    const opening = here.world.prompts().find((text) => text.includes('C: Third'));
    expect(opening).toMatch(/"task_id": ?"B"[\s\S]*Commits: /); // the next prompt shows what came before
    expect(here.git('branch', '--list', 'devs/*').split('\n')).toHaveLength(3);
    expect(existsSync(join(here.world.project, 'a.txt'))).toBe(false);
  });

  it('is worked off several at a time, and no task twice', async () => {
    const { here, work } = await openQueue();
    const ids = ['A', 'B', 'C', 'D'];
    await here.world.store.tasks.add(
      ids.map((id) => ({ id, intent: `Do ${id}`, description: `@wait 600 @write ${id}.txt` })),
    );
    let most = 0;
    const running = new Set<string>();
    const end = await work(3, {
      onRun: (run: { id: string; done: Promise<unknown> }) => {
        running.add(run.id);
        most = Math.max(most, running.size);
        void run.done.then(() => running.delete(run.id));
      },
    });
    expect([...end.done].sort()).toEqual(ids);
    expect(most).toBe(3);
    expect((await beginnings(here)).sort()).toEqual(ids);
  });

  it('goes on with others where one fails or asks something; what it depends on is not begun', async () => {
    const { here, work } = await openQueue();
    await here.world.store.tasks.add([
      { id: 'A', intent: 'Fails', description: '@give-up', priority: 3 },
      { id: 'B', intent: 'Asks', description: '@write b.txt @ask-once Which one?', priority: 2 },
      { id: 'C', intent: 'Works', description: '@write c.txt', priority: 1 },
      { id: 'D', intent: 'Waits', description: '@write d.txt', depends_on: ['B'] },
    ]);
    const end = await work();
    expect(end).toMatchObject({ done: ['C'], failed: ['A'], paused: [] });
    expect(end.blocked).toEqual([{ taskId: 'B', why: expect.stringContaining('Which one?') }]);
    expect(await here.world.store.tasks.get('B')).toMatchObject({ status: 'blocked' });
    expect(here.world.running()).toEqual([]);

    const run = (await here.world.store.log.read({ limit: 100_000 })).findLast(
      ({ type }) => type === 'escalation.raised',
    );
    const stream = run?.stream ?? '';
    const data = { escalationId: run?.data.escalationId ?? '', answer: 'The blue one.' };
    await here.world.store.log.append(stream, await here.world.store.log.version(stream), [
      { type: 'escalation.answered', data },
    ]);
    expect(await work()).toMatchObject({ done: ['B', 'D'], blocked: [] });
    expect(here.world.prompts().some((text) => text.includes('The blue one.'))).toBe(true);
    expect((await beginnings(here)).sort()).toEqual(['A', 'B', 'C', 'D']); // no second run for B
  });

  it('stops when it is told to, gives its task back, and the next time goes on with the same run', async () => {
    const { here, work } = await openQueue();
    await here.world.store.tasks.add([
      { id: 'A', intent: 'Long', description: '@wait 3000 @write a.txt' },
      { id: 'B', intent: 'Later', description: '@write b.txt', depends_on: ['A'] },
    ]);
    const stop = new AbortController();
    const working = work(1, { signal: stop.signal });
    await here.world.until('the first step', () => here.steps().length > 0);
    stop.abort();
    expect(await working).toMatchObject({ done: [], paused: ['A'], why: 'the user stopped it' });
    expect(await here.world.store.tasks.get('A')).toMatchObject({ status: 'pending' });
    expect(await work()).toMatchObject({ done: ['A', 'B'] });
    expect(await beginnings(here)).toEqual(['A', 'B']);
  });

  it('blocks a task whose run used up its budget, and goes on with the next', async () => {
    const { here, work } = await openQueue({ settings: { budget: { tokens: 20_000, day: {} } } });
    await here.world.store.tasks.add([
      { id: 'A', intent: 'Dear', description: '@usage 30000 @idle', priority: 1 },
      { id: 'B', intent: 'Cheap', description: '@write b.txt' },
    ]);
    const end = await work();
    expect(end).toMatchObject({ done: ['B'], paused: [] });
    expect(end.blocked[0]?.why).toMatch(/budget/);
  });
});
