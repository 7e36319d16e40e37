import { describe, expect, it } from 'vitest';
import { newRun, openRunWorld } from '../../__tests__/run-world.js';
import { troubledStore } from '../../__tests__/troubled-store.js';
import { runQueue } from '../run-queue.js';

async function openTroubledQueue() {
  const here = await openRunWorld({ git: true });
  const troubled = troubledStore(here.world.store);
  await here.world.store.tasks.add([
    { id: 'A', intent: 'Long', description: '@wait-once 60000 @write a.txt', priority: 1 },
    { id: 'B', intent: 'Short', description: '@write b.txt' },
  ]);
  const work = () =>
    runQueue({
      ...here.parts,
      store: troubled.store,
      timing: { ...here.parts.timing, leaseMs: 900 },
      parallel: 1,
      planFor: async ({ intent, description = '' }) =>
        newRun(here.template([{ id: 'do', instructions: description }]), here.world.project, true, {
          request: intent,
        }) as never,
    });
  const begun = async () =>
    (await here.world.store.log.read({ limit: 100_000 }))
      .filter(({ type }) => type === 'run.prepared')
      .map(({ data }) => (data.task as { id: string }).id);
  const atWork = () => here.world.until('an agent at work', () => here.steps().length > 0);
  const ended = () => here.world.until('an end of its agents', () => here.world.running().length === 0);
  return { here, troubled, work, begun, atWork, ended };
}

describe('a queue whose store cannot be used', () => {
  it('[R2] ends its agent, waits, and continues the same run when the store is back', async () => {
    const { troubled, work, begun, atWork, ended } = await openTroubledQueue();
    const working = work();
    await atWork();
    troubled.trouble = 'gone';
    await ended();
    troubled.trouble = 'none';
    expect(await working).toEqual({ done: ['A', 'B'], failed: [], blocked: [], paused: [], left: [] });
    expect(await begun()).toEqual(['A', 'B']);
  });

  it('[R2] says so where that lasts, and leaves every task to the next queue', async () => {
    const { here, troubled, work, begun, atWork } = await openTroubledQueue();
    const working = work();
    await atWork();
    troubled.trouble = 'disk full';
    const end = await working;
    expect(end).toMatchObject({ done: [], failed: [], blocked: [], paused: ['A'] });
    expect(end.why).toContain('the store could not be written');
    expect(here.world.running()).toEqual([]);
    troubled.trouble = 'none';
    expect(await work()).toMatchObject({ done: ['A', 'B'], left: [] });
    expect(await begun()).toEqual(['A', 'B']);
  });

  it('[R2] does not wait for a store that was emptied', async () => {
    const { here, troubled, work, atWork } = await openTroubledQueue();
    const working = work();
    await atWork();
    troubled.trouble = 'replaced';
    const end = await working;
    expect(end).toMatchObject({ done: [], paused: ['A'] });
    expect(end.why).toContain('the store was emptied');
    expect(here.world.running()).toEqual([]);
  });
});
