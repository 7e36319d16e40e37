import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Store, TaskRecord } from '@devs/core';
import { describe, expect, it } from 'vitest';
import { newRun, openRunWorld, type RunWorld, type RunWorldOptions } from '../../__tests__/run-world.js';
import { runQueue } from '../run-queue.js';

/** The steps of a task are its description, with bars between. */
async function openQueue(options: RunWorldOptions = {}) {
  const here = await openRunWorld({ git: true, ...options });
  const planFor = async ({ intent, description = '' }: TaskRecord) =>
    newRun(here.template(stepsOf(description)), here.world.project, true, { request: intent }) as never;
  return { here, work: (parallel = 1, more = {}) => runQueue({ ...here.parts, planFor, parallel, ...more }) };
}

const stepsOf = (description: string) =>
  description.split('|').map((instructions, at) => ({ id: `do-${at}`, instructions }));

const beginnings = async ({ world }: RunWorld) =>
  (await world.store.log.read({ limit: 100_000 }))
    .filter(({ type }) => type === 'run.prepared')
    .map(({ data }) => (data.task as { id: string }).id);

/** A writer that dies before this is stored. */
const diesAt = (killing: string, { log, ...store }: Store): Store => ({
  ...store,
  log: {
    ...log,
    async append(stream, version, events) {
      if (events.some(({ type }) => type === killing)) throw new Error('killed');
      return log.append(stream, version, events);
    },
  },
});

describe('the queue', () => {
  it('is worked off in the order of its dependencies, each task in a worktree of its own, with what came of it', async () => {
    const { here, work } = await openQueue();
    await here.world.store.tasks.add([
      { id: 'C', intent: 'Third', description: '@write c.txt @commit', depends_on: ['B'], priority: 9 },
      { id: 'A', intent: 'First', description: '@write a.txt @commit' },
      { id: 'B', intent: 'Second', description: '@write b.txt @commit', depends_on: ['A'], priority: 9 },
    ]);
    expect(await work()).toEqual({ done: ['A', 'B', 'C'], failed: [], blocked: [], paused: [], left: [] });
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

  it('is worked off several at a time, and no task twice', { tags: 'long' }, async () => {
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

  it('continues with others if one fails or asks something; its dependents are not started', async () => {
    const { here, work } = await openQueue();
    await here.world.store.tasks.add([
      { id: 'A', intent: 'Fails', description: '@give-up', priority: 3 },
      { id: 'B', intent: 'Asks', description: '@write b.txt @ask-once Which one?', priority: 2 },
      { id: 'C', intent: 'Works', description: '@write c.txt', priority: 1 },
      { id: 'D', intent: 'Waits', description: '@write d.txt', depends_on: ['B'] },
    ]);
    const end = await work();
    expect(end).toMatchObject({ done: ['C'], failed: ['A'], paused: [] });
    const advice = expect.stringMatching(/^devs answer q-\w+ "…"$/);
    expect(end.blocked).toEqual([{ taskId: 'B', why: expect.stringContaining('Which one?'), advice }]);
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

  it('stops on request, gives its task back, and later continues the same run', async () => {
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
    const story = await here.world.store.log.read({ stream: 'task:A', limit: 100 });
    expect(story.map(({ type }) => type).filter((type) => type !== 'dependent.added')).toEqual([
      ...['task.added', 'task.claimed', 'task.released'], // stopped
      ...['task.claimed', 'task.completed'], // and never anybody else's in between
    ]);
  });

  it('blocks a task whose run used up its budget, and continues with the next', { tags: 'long' }, async () => {
    const { here, work } = await openQueue({ settings: { budget: { tokens: 20_000, day: {} } } });
    await here.world.store.tasks.add([
      { id: 'A', intent: 'Dear', description: '@usage 30000 @idle', priority: 1 },
      { id: 'B', intent: 'Cheap', description: '@write b.txt' },
    ]);
    const end = await work();
    expect(end).toMatchObject({ done: ['B'], paused: [] });
    expect(end.blocked).toEqual([
      { taskId: 'A', why: expect.stringMatching(/budget/), advice: 'raise budget.tokens, then: devs task unblock A' },
    ]);
  });

  it('continues the run of a task still claimed by a killed process, and leaves live ones alone', {
    tags: 'long',
  }, async () => {
    const { here, work } = await openQueue();
    const { tasks, leases } = here.world.store;
    await tasks.add([{ id: 'A', intent: 'Long', description: '@wait-once 60000 @write a.txt' }]);
    const stop = new AbortController();
    // Who lives shows it by the next renewal.
    const working = work(1, { signal: stop.signal, timing: { ...here.parts.timing, leaseMs: 3_000 } });
    await here.world.until('the first step', () => here.steps().length > 0);
    expect(await work()).toMatchObject({ done: [], left: [{ taskId: 'A', why: 'test has claimed it' }] });
    stop.abort();
    await working;
    const run = (await here.world.store.log.read({ limit: 100_000 })).find(({ type }) => type === 'run.prepared');
    const stream = run?.stream ?? '';
    // As a killed supervisor leaves it: claimed for long, with a lease on the run that is never renewed.
    const claim = await tasks.claim({ by: 'killed', leaseMs: 600_000 });
    if (claim.status !== 'claimed') throw new Error(claim.status);
    const held = { type: 'task.held', data: { taskId: 'A', fence: claim.fence } };
    await here.world.store.log.append(stream, await here.world.store.log.version(stream), [held]);
    await leases.acquire({ name: stream, by: 'killed', leaseMs: 500 });
    expect(await work()).toMatchObject({ done: ['A'], left: [] });
    expect(await beginnings(here)).toEqual(['A']);
  });

  it('names what is blocked, claimed, or waits for those', { tags: 'long' }, async () => {
    const { here, work } = await openQueue();
    const { tasks } = here.world.store;
    await tasks.add([
      { id: 'A', intent: 'Blocked', description: '@write a.txt' },
      { id: 'B', intent: 'Behind it', description: '@write b.txt', depends_on: ['A'] },
      { id: 'C', intent: 'Claimed', description: '@write c.txt' },
      { id: 'D', intent: 'Free', description: '@write d.txt' },
    ]);
    await tasks.block({ id: 'A', reason: 'which colour?' });
    await tasks.claim({ by: 'anna', leaseMs: 600_000, id: 'C' });
    const { done, left } = await work();
    expect(done).toEqual(['D']);
    expect([...left].sort((a, b) => a.taskId.localeCompare(b.taskId))).toEqual([
      { taskId: 'A', why: 'it is blocked: which colour?' },
      { taskId: 'B', why: 'it waits for A' },
      { taskId: 'C', why: 'anna has claimed it' },
    ]);
  });

  it('gives a task back whose run is cancelled while it is being prepared', { tags: 'long' }, async () => {
    const { here, work } = await openQueue({
      settings: { setup: [[process.execPath, '-e', 'setTimeout(() => {}, process.env.HASTE ? 0 : 60_000)']] },
    });
    await here.world.store.tasks.add([{ id: 'A', intent: 'Do it', description: '@write a.txt' }]);
    const stop = new AbortController();
    const working = work(1, { signal: stop.signal });
    await here.world.until('the run', async () => (await beginnings(here)).length > 0);
    stop.abort();
    expect(await working).toMatchObject({ paused: ['A'], blocked: [], why: 'the user stopped it' });
    expect(await here.world.store.tasks.get('A')).toMatchObject({ status: 'pending' });
    const { place } = here.parts;
    expect(await work(1, { place: { ...place, env: { ...place.env, HASTE: '1' } } })).toMatchObject({ done: ['A'] });
    expect(await beginnings(here)).toEqual(['A']);
  });

  it('gives a task back where a budget of the day is used up, and begins no other', { tags: 'long' }, async () => {
    const { here, work } = await openQueue({ settings: { budget: { day: { tokens: 20_000 } } } });
    await here.world.store.tasks.add([
      { id: 'A', intent: 'Dear', description: '@usage 30000 @idle', priority: 1 },
      { id: 'B', intent: 'Cheap', description: '@write b.txt' },
    ]);
    expect(await work()).toMatchObject({ paused: ['A'], blocked: [], why: expect.stringContaining('budget') });
    expect(await here.world.store.tasks.get('A')).toMatchObject({ status: 'pending' });
    expect(await beginnings(here)).toEqual(['A']);
  });

  it('continues in the same queue with tasks answered meanwhile', { tags: 'long' }, async () => {
    const { here, work } = await openQueue();
    await here.world.store.tasks.add([
      { id: 'A', intent: 'Asks', description: '@write a.txt @ask-once Which one?', priority: 2 },
      { id: 'B', intent: 'Works', description: '@wait 500 @write b.txt' },
    ]);
    const { log } = here.world.store;
    const end = await work(1, {
      async onTask({ id }: TaskRecord) {
        if (id !== 'A') return;
        const asked = (await log.read({ limit: 100_000 })).findLast(({ type }) => type === 'escalation.raised');
        const data = { escalationId: asked?.data.escalationId ?? '', answer: 'The blue one.' };
        const stream = asked?.stream ?? '';
        await log.append(stream, await log.version(stream), [{ type: 'escalation.answered', data }]);
      },
    });
    expect([...end.done].sort()).toEqual(['A', 'B']);
  });

  it('begins no other where the place is at fault, and blocks none for it', { tags: 'long' }, async () => {
    const setup = [[process.execPath, '-e', 'console.log("no network"); process.exit(3)']];
    const { here, work } = await openQueue({ settings: { setup } });
    await here.world.store.tasks.add(['A', 'B'].map((id) => ({ id, intent: id, description: '@write a.txt' })));
    const end = await work();
    expect(end).toMatchObject({ done: [], blocked: [], why: expect.stringContaining('no network') });
    expect(await here.world.store.tasks.get('A')).toMatchObject({ status: 'pending' });
    expect(await beginnings(here)).toEqual(['A']);
  });

  it('keeps the question of a run that was killed when it had just asked it', { tags: 'long' }, async () => {
    const { here, work } = await openQueue();
    await here.world.store.tasks.add([{ id: 'A', intent: 'Asks', description: '@write a.txt @ask-once Which one?' }]);
    await work(1, { store: diesAt('run.paused', here.world.store) });
    const { blocked } = await work();
    expect(blocked).toMatchObject([{ taskId: 'A', why: expect.stringContaining('Which one?') }]);
    expect(await here.world.store.tasks.get('A')).toMatchObject({ status: 'blocked' });
    expect(here.world.running()).toEqual([]);
  });

  it('finishes a run that settled its task and was killed before it could say so', { tags: 'long' }, async () => {
    const { here, work } = await openQueue();
    await here.world.store.tasks.add([{ id: 'A', intent: 'Works', description: '@write a.txt' }]);
    const { log } = here.world.store;
    await work(1, { store: diesAt('run.finished', here.world.store) });
    expect(await here.world.store.tasks.get('A')).toMatchObject({ status: 'done' });
    expect(await work()).toMatchObject({ done: ['A'] });
    const ends = (await log.read({ limit: 100_000 })).filter(({ type }) => type === 'run.finished');
    expect(ends).toHaveLength(1);
  });

  it('leaves a run that was begun with another agent to that one', { tags: 'long' }, async () => {
    const { here, work } = await openQueue();
    await here.world.store.tasks.add([{ id: 'A', intent: 'Long', description: '@wait 3000 @write a.txt' }]);
    const stop = new AbortController();
    const working = work(1, { signal: stop.signal });
    await here.world.until('the first step', () => here.steps().length > 0);
    stop.abort();
    await working;
    const other = { ...here.parts.driver, agent: 'another' };
    const { left } = await work(1, { driver: other });
    expect(left).toEqual([{ taskId: 'A', why: expect.stringMatching(/begun with fixture; .*devs resume run-/) }]);
    expect(await here.world.store.tasks.get('A')).toMatchObject({ status: 'pending' });
    expect(await work()).toMatchObject({ done: ['A'] });
  });

  it('continues with the others if one cannot be started, and gives that one back', { tags: 'long' }, async () => {
    const { here, work } = await openQueue();
    await here.world.store.tasks.add([
      { id: 'A', intent: 'Breaks', description: '@write a.txt', priority: 1 },
      { id: 'B', intent: 'Works', description: '@wait 500 @write b.txt' },
    ]);
    const planFor = async ({ id, intent, description = '' }: TaskRecord) => {
      if (id === 'A') throw new Error('the disk is full');
      return newRun(here.template(stepsOf(description)), here.world.project, true, { request: intent }) as never;
    };
    expect(await work(2, { planFor })).toMatchObject({
      done: ['B'],
      left: [{ taskId: 'A', why: 'it could not be begun: the disk is full' }],
    });
    expect(await here.world.store.tasks.get('A')).toMatchObject({ status: 'pending' });
    expect(await work()).toMatchObject({ done: ['A'], left: [] });
  });

  it('begins a task at the work of those that it depends on', async () => {
    const { here, work } = await openQueue();
    await here.world.store.tasks.add([
      { id: 'A', intent: 'One', description: '@write a.txt @commit', priority: 1 },
      { id: 'B', intent: 'Two', description: '@write b.txt @commit' },
      { id: 'C', intent: 'Both', description: '@write c.txt @commit', depends_on: ['A', 'B'] },
    ]);
    expect(await work()).toMatchObject({ done: ['A', 'B', 'C'] });
    expect(await filesOf(here, 'B')).toEqual(['README.md', 'b.txt']);
    expect(await filesOf(here, 'C')).toEqual(['README.md', 'a.txt', 'b.txt', 'c.txt']);
    expect((await here.world.store.tasks.get('C'))?.result).toMatch(/Commits: \w+ Step 1$/); // its own, not those of the others
  });

  it('blocks a task where the work that it depends on does not go together', { tags: 'long' }, async () => {
    const { here, work } = await openQueue();
    await here.world.store.tasks.add([
      { id: 'A', intent: 'One', description: '@write same.txt @commit', priority: 1 },
      { id: 'B', intent: 'Two', description: '@write same.txt | @write same.txt @commit' },
      { id: 'C', intent: 'Both', description: '@write c.txt @commit', depends_on: ['A', 'B'] },
    ]);
    const { done, blocked } = await work();
    expect(done).toEqual(['A', 'B']);
    const advice = 'devs task unblock C';
    expect(blocked).toEqual([{ taskId: 'C', advice, why: expect.stringMatching(/does not go together.*same\.txt/) }]);
    expect(await here.world.store.tasks.get('C')).toMatchObject({ status: 'blocked' });
  });
});

async function filesOf({ world, git }: RunWorld, taskId: string): Promise<readonly string[]> {
  const events = await world.store.log.read({ limit: 100_000 });
  const run = events.find(({ type, data }) => type === 'run.prepared' && (data.task as { id: string }).id === taskId);
  return git('ls-tree', '--name-only', `devs/${run?.stream.slice('run:'.length)}`).split('\n');
}
