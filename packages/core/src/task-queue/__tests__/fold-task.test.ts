import { describe, expect, it } from 'vitest';
import { openStore, type Store } from '../../event-log/open-store.js';
import type { TaskRecord } from '../../ports/task-queue.js';
import { createManualClock } from '../../testing/manual-clock.js';
import { createMemoryBackend, createMemoryDisk } from '../../testing/memory-backend.js';
import { createRandom, type Random } from '../../testing/random.js';
import { rounds, seed } from '../../testing/rounds.js';
import { foldTask } from '../fold-task.js';

function createWorld() {
  const disk = createMemoryDisk();
  const clock = createManualClock();
  let ids = 0;
  const store = openStore({ backend: createMemoryBackend(disk), clock, newId: () => `commit-${++ids}` });
  const folded = () => {
    const tasks = new Map<string, TaskRecord>();
    for (const event of disk.events) foldTask(tasks, event);
    return tasks;
  };
  return { disk, clock, store, folded };
}

/** The end of a lease is not in the log. */
const comparable = (tasks: ReadonlyMap<string, TaskRecord>) =>
  Object.fromEntries(
    [...tasks].map(([id, { lease, ...task }]) => [id, { ...task, ...(lease !== undefined && { by: lease.by }) }]),
  );

/** A random action on a task. Actions that do not fit its status are refused, which is harmless. */
async function doSomething({ tasks }: Store, random: Random): Promise<void> {
  const id = `t${random.below(6)}`;
  const before = `t${random.below(6)}`;
  const acts = [
    () => tasks.add([{ id, intent: `do ${id}`, priority: random.below(3), depends_on: [before] }]).catch(() => {}),
    () => tasks.add([{ id, intent: `do ${id}`, description: 'all of it' }]).catch(() => {}),
    () => tasks.claim({ by: 'anna', leaseMs: 5_000 }),
    () => tasks.claim({ by: 'bo', leaseMs: 5_000, id }),
    () => tasks.complete({ id, result: 'works' }),
    () => tasks.complete({ id }),
    () => tasks.fail({ id, reason: 'no luck' }),
    () => tasks.block({ id, reason: 'no key' }),
    () => tasks.unblock(id),
    () => tasks.retry(id),
    () => tasks.release({ id }),
    () => tasks.edit({ id, intent: `do ${id} well`, priority: random.below(5) }),
    () => tasks.edit({ id, description: 'more of it' }),
    () => tasks.remove(id),
  ];
  await random.pick(acts)();
}

describe('the fold of a task', () => {
  it('is its record, after any actions on it and its dependencies', async () => {
    for (let round = 0; round < rounds(20); round++) {
      const random = createRandom(seed() + round);
      const { disk, clock, store, folded } = createWorld();
      for (let act = 0; act < 150; act++) {
        clock.advance(random.below(2) * 3_000);
        await doSomething(store, random);
      }
      expect(comparable(folded()), `seed ${seed() + round}`).toEqual(comparable(disk.tasks));
    }
  });

  it('continues counting fences after a task of the same id was removed', async () => {
    const { store, folded } = createWorld();
    await store.tasks.add([{ id: 'a', intent: 'do a' }]);
    await store.tasks.remove('a');
    expect(folded().size).toBe(0);
    const [added] = await store.tasks.add([{ id: 'a', intent: 'do a again' }]);
    expect(folded().get('a')).toEqual(added);
  });

  it('passes over the streams of other things, and over a task whose beginning it has not seen', () => {
    const tasks = new Map<string, TaskRecord>();
    const event = { position: 1, version: 2, at: 0, data: {} };
    expect(foldTask(tasks, { ...event, stream: 'run:x', type: 'task.completed' })).toBeUndefined();
    expect(foldTask(tasks, { ...event, stream: 'task:a', type: 'task.completed' })).toBe('a');
    expect(tasks.size).toBe(0);
  });
});
