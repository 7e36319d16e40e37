import { describe, expect, it } from 'vitest';
import { openStore } from '../../event-log/open-store.js';
import type { StoreBackend } from '../../ports/store-backend.js';
import { createManualClock } from '../../testing/manual-clock.js';
import { createMemoryBackend } from '../../testing/memory-backend.js';
import { buildMinimalState } from '../minimal-state.js';
import { foldSupervisorState, readSupervisorState } from '../read-supervisor-state.js';

async function storeWithFinished(count: number) {
  let ids = 0;
  const backend = createMemoryBackend();
  const store = openStore({ backend, clock: createManualClock(), newId: () => `commit-${++ids}` });
  const names = Array.from({ length: count }, (_, index) => `t${index + 1}`);
  await store.tasks.add(names.map((id) => ({ id, intent: `do ${id}` })));
  for (const id of names) await store.tasks.complete({ id, result: `result of ${id}` });
  const recent = async () =>
    (buildMinimalState(await store.state()).completed_tasks ?? []).map(({ task_id, result }) => [task_id, result]);
  return { backend, store, recent };
}

const results = (...ids: string[]) => ids.map((id) => [id, `result of ${id}`]);

describe('a prompt shows five finished tasks as long as there are five', () => {
  it.each(['retry', 'remove'] as const)('after all of the newest fifty were taken back by %s', async (act) => {
    const { backend, store, recent } = await storeWithFinished(120);
    for (let number = 120; number > 62; number--) await store.tasks[act](`t${number}`);

    expect(await recent()).toEqual(results('t58', 't59', 't60', 't61', 't62'));
    const state = await store.state();
    expect(state.finished_count).toBe(62);
    expect(await foldSupervisorState(backend)).toEqual(state);
  });

  it('with reads of the state in between, and it is the fold of the log each time', async () => {
    const { backend, store, recent } = await storeWithFinished(130);
    for (let number = 130; number > 3; number--) {
      await store.tasks.retry(`t${number}`);
      if (number % 13 === 0) await store.state();
      if (number % 20 === 0) expect(await foldSupervisorState(backend)).toEqual(await store.state());
      if (number > 6) expect(await recent()).toHaveLength(5);
    }
    expect(await recent()).toEqual(results('t1', 't2', 't3'));
  });

  it('and does not read the whole log again for it each time', async () => {
    const { backend, store, recent } = await storeWithFinished(300);
    for (let number = 300; number > 250; number--) await store.tasks.retry(`t${number}`);
    await recent();
    const readBehind: number[] = [];
    const watched: StoreBackend = {
      ...backend,
      read(query) {
        readBehind.push(query.after);
        return backend.read(query);
      },
    };
    await readSupervisorState(watched);
    expect(Math.min(...readBehind)).toBeGreaterThan(0);
  });
});
