import { openStore, type Store, type TaskRecord } from '@devs/core';
import { createManualClock, createMemoryBackend, createMemoryDisk, type Random } from '@devs/core/testing';

/** A store in memory, and a clock that says another time whenever it is asked. */
export function createBusyStore(disk = createMemoryDisk()) {
  const clock = createManualClock();
  let ids = 0;
  const backend = createMemoryBackend(disk);
  const store = openStore({ backend, clock, newId: () => `commit-${++ids}` });
  return { disk, clock, backend, store };
}

/** Does something with some task, as users and agents would; what makes no sense is refused by the store. */
export async function doSomething(store: Store, random: Random, clock: { advance(ms: number): void }): Promise<void> {
  const { tasks } = store;
  const id = `t${random.below(12)}`;
  clock.advance(random.below(2) * 1_000);
  switch (random.below(11)) {
    case 0:
    case 1: {
      const others = (await tasks.list({ limit: 5 })).tasks.map((task: TaskRecord) => task.id);
      const description = random.below(2) === 0 ? { description: 'all of it' } : {};
      await tasks
        .add([{ id, intent: `do ${id}`, priority: random.below(3), depends_on: others.slice(0, 2), ...description }])
        .catch(() => {});
      return;
    }
    case 2:
    case 3:
      await tasks.claim({ by: 'anna', leaseMs: 5_000 });
      return;
    case 4:
      await tasks.complete({ id, result: 'works' });
      return;
    case 5:
      await tasks.fail({ id, reason: 'no luck' });
      return;
    case 6:
      await tasks.block({ id, reason: 'no key' });
      return;
    case 7:
      await tasks.unblock(id);
      return;
    case 8:
      await tasks.retry(id);
      return;
    case 9:
      await tasks.release({ id });
      return;
    default:
      await tasks.remove(id);
  }
}
