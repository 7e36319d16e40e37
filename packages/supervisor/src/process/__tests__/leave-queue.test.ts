import { describe, expect, it } from 'vitest';
import type { QueueNews } from '../port.js';
import { openSupervisorWorld } from './supervisor-world.js';

const SLOW_SETUP = [process.execPath, '-e', 'setTimeout(() => {}, 1_000)'];

describe('a queue whose supervisor is replaced', () => {
  it('is let go of in the middle, begins nothing more, and is continued in the same runs', async () => {
    const { here, supervisor, queueOrder, caller, begun } = await openSupervisorWorld();
    await here.world.store.tasks.add([
      { id: 'A', intent: 'Long', description: '@wait-once 3000 @write a.txt', priority: 1 },
      { id: 'B', intent: 'Short', description: '@write b.txt' },
    ]);
    const first = supervisor('first');
    const { queue } = await first.queues.start(queueOrder(), caller);
    await here.world.until('the first step', () => here.steps().length > 0);
    await first.shutdown('leave');
    expect(first.isBusy).toBe(false);
    expect(await first.queues.wait(queue, { seen: 0 })).toMatchObject({
      isOver: true,
      isLeft: true,
      runs: [expect.stringMatching(/^run-/)],
    });
    expect(here.world.running()).toHaveLength(1); // its agent works on

    const second = supervisor('second');
    await second.adopt();
    await here.world.until('the end of the queue', () => !second.isBusy);
    const news = await second.queues.wait(queue, { seen: 0 });
    expect(news?.end).toMatchObject({ done: ['A', 'B'], left: [] });
    expect(await begun()).toHaveLength(2);
    expect(here.world.starts()).toHaveLength(2);
    const story = await here.world.store.log.read({ stream: 'task:A', limit: 100 });
    const claims = story.filter(({ type }) => type === 'task.claimed');
    expect(claims.map(({ data }) => data.by)).toEqual(['first', 'second']); // a live claim is not taken for a dead one
    expect(story.map(({ type }) => type)).not.toContain('task.released'); // nor can anybody come between the two
  });

  it('says of the tasks that failed before, too', async () => {
    const check = [process.execPath, '-e', 'process.exit(require("fs").existsSync("a.txt") ? 1 : 0)'];
    const { here, supervisor, queueOrder, caller } = await openSupervisorWorld({ settings: { checks: [check] } });
    await here.world.store.tasks.add([
      { id: 'A', intent: 'Wrong', description: '@write a.txt', priority: 1 },
      { id: 'B', intent: 'Long', description: '@wait-once 3000 @write b.txt' },
    ]);
    const first = supervisor('first');
    const { queue } = await first.queues.start(queueOrder(), caller);
    await here.world.until('the second task', () => here.steps().length > 1);
    await first.shutdown('leave');

    const second = supervisor('second');
    await second.adopt();
    await here.world.until('the end of the queue', () => !second.isBusy);
    expect((await second.queues.wait(queue, { seen: 0 }))?.end).toMatchObject({ done: ['B'], failed: ['A'] });
  });

  it('ends the agents of a queue that cannot even open its store', async () => {
    const { here, supervisor, queueOrder, caller } = await openSupervisorWorld();
    await here.world.store.tasks.add([{ id: 'A', intent: 'Long', description: '@wait 60000' }]);
    const first = supervisor('first');
    const { queue } = await first.queues.start(queueOrder(), caller);
    await here.world.until('the first step', () => here.steps().length > 0);
    await first.shutdown('leave');
    expect(here.world.running()).toHaveLength(1);

    const open = () => Promise.reject(new Error('the file is not a database'));
    const second = supervisor('second', {}, { workshop: { open } });
    await second.adopt();
    await here.world.until('the end of the queue', () => !second.isBusy);
    expect(await second.queues.wait(queue, { seen: 0 })).toMatchObject({ problem: 'the file is not a database' });
    expect(here.world.running()).toEqual([]);
  });

  it('leaves a run that was being prepared, too', async () => {
    const { here, supervisor, queueOrder, caller, begun } = await openSupervisorWorld({
      settings: { setup: [SLOW_SETUP] },
    });
    await here.world.store.tasks.add([{ id: 'A', intent: 'Long', description: '@wait-once 3000 @write a.txt' }]);
    const first = supervisor('first');
    const { queue } = await first.queues.start(queueOrder(), caller);
    await here.world.until('the run', async () => (await begun()).length > 0);
    await first.shutdown('leave');
    expect(first.isBusy).toBe(false);

    const second = supervisor('second');
    await second.adopt();
    await here.world.until('the end of the queue', () => !second.isBusy);
    expect((await second.queues.wait(queue, { seen: 0 }))?.end).toMatchObject({ done: ['A'] });
    expect(await begun()).toHaveLength(1);
  });

  it('tells its end to who waits before its supervisor is gone, and lists its runs', async () => {
    const { here, supervisor, queueOrder, caller } = await openSupervisorWorld();
    await here.world.store.tasks.add([{ id: 'A', intent: 'Long', description: '@wait 60000' }]);
    let told: QueueNews | undefined;
    let toldAtEnd: QueueNews | undefined;
    const onEnd = () => {
      toldAtEnd = told;
    };
    const first = supervisor('first', {}, { onEnd });
    const { queue } = await first.queues.start(queueOrder(), caller);
    const follow = async () => {
      while (told?.isOver !== true) told = await first.queues.wait(queue, { seen: told?.revision ?? 0 });
    };
    void follow();
    await here.world.until('the first step', () => here.steps().length > 0);
    await here.world.until('news of its run', () => told?.runs[0] !== undefined);
    expect(await first.runs.list()).toMatchObject([{ run: told?.runs[0], status: { taskId: 'A' } }]);
    await first.shutdown('pause');
    expect(toldAtEnd).toMatchObject({ isOver: true, end: { paused: ['A'] } });
  });
});

describe('a worker that is started again where one serves', () => {
  it('is followed if it was ordered alike, and else takes over', async () => {
    const { here, supervisor, queueOrder, caller } = await openSupervisorWorld();
    const one = supervisor('one');
    const order = (token: string, slots = 1) => ({ ...queueOrder(slots), token, serves: true as const });
    const first = await one.queues.start(order('a'), caller);
    expect(await one.queues.start(order('b'), caller)).toEqual(first);
    const third = await one.queues.start(order('c', 4), caller);
    expect(third).not.toEqual(first);
    await here.world.until(
      'the end of the first',
      async () => (await one.queues.wait(first.queue, { seen: 0 }))?.isOver ?? true,
    );
    expect(await one.queues.wait(third.queue, { seen: 0 })).toMatchObject({ isOver: false });
    await one.queues.stop(third.queue, { now: false });
    await here.world.until('the end of the other', () => !one.isBusy);
  });
});
