import { setTimeout as pause } from 'node:timers/promises';
import { type Dispatcher, hasLabels, type TaskRecord, type Ticket } from '@devs/core';
import { describe, expect, it } from 'vitest';
import { newRun, openRunWorld } from '../../__tests__/run-world.js';
import type { RunHandle } from '../../run.js';
import { serveQueue } from '../serve-queue.js';

/** Hands out each ticket that it is given, one at a time, and forgets those that it has no labels for. */
function createPlainDispatcher() {
  let waiting: readonly Ticket[] = [];
  const held: string[] = [];
  const dispatcher: Dispatcher = {
    async issue(tickets) {
      waiting = tickets;
    },
    async serve({ labels }, work, signal) {
      while (!signal.aborted) {
        const next = waiting.find(({ needs }) => hasLabels(labels, needs));
        waiting = waiting.filter((ticket) => ticket !== next);
        if (next !== undefined) await work(next);
        await pause(10);
      }
    },
    async hold(needs, ms) {
      held.push(`${needs.join('+')} ${ms}`);
    },
    close: async () => {},
  };
  return { dispatcher, held };
}

async function openServing(labels: readonly string[] = []) {
  const here = await openRunWorld({ git: true });
  const planFor = async ({ intent, description = '' }: TaskRecord) =>
    newRun(here.template([{ id: 'do', instructions: description }]), here.world.project, true, {
      request: intent,
    }) as never;
  const { dispatcher } = createPlainDispatcher();
  const over = new AbortController();
  const runs: RunHandle[] = [];
  const end = serveQueue({
    ...here.parts,
    planFor,
    parallel: 1,
    labels,
    dispatcher,
    machine: 'ant',
    issueMs: 100,
    signal: over.signal,
    onRun: (run) => void runs.push(run),
  });
  const statusOf = async (id: string) => (await here.world.store.tasks.get(id))?.status;
  return { here, end, over, runs, statusOf, tasks: here.world.store.tasks };
}

describe('a queue that is served', () => {
  it('takes tasks that are added later, and ends when it is cancelled', async () => {
    const { here, end, over, tasks, statusOf } = await openServing(['gpu']);
    await tasks.add([{ id: 'A', intent: 'First', description: '@write a.txt @commit', needs: ['gpu'] }]);
    await here.world.until('the first', async () => (await statusOf('A')) === 'done');
    await tasks.add([
      { id: 'B', intent: 'Second', description: '@write b.txt @commit', depends_on: ['A'] },
      { id: 'C', intent: 'Elsewhere', description: '@write c.txt @commit', needs: ['mac'] },
    ]);
    await here.world.until('the second', async () => (await statusOf('B')) === 'done');
    over.abort();
    expect(await end).toMatchObject({ done: ['A', 'B'], failed: [], blocked: [], paused: [] });
    expect(await statusOf('C')).toBe('pending');
  });

  it('does not begin again what its user stopped, from this machine or another one', async () => {
    const { here, end, over, runs, tasks, statusOf } = await openServing();
    await tasks.add([{ id: 'A', intent: 'Long', description: '@wait 60000 @write a.txt' }]);
    await here.world.until('its run', () => runs.length === 1);
    const stream = `run:${runs[0]?.id}`;
    const { log } = here.world.store;
    const asked = { type: 'stop.asked', data: { by: 'ann' } };
    await here.world.until(
      'the wish to stop',
      async () => (await log.append(stream, await log.version(stream), [asked])).status === 'appended',
    );
    await here.world.until('the block', async () => (await statusOf('A')) === 'blocked');
    expect((await tasks.get('A'))?.reason).toContain('its run was stopped');
    over.abort();
    expect(await end).toMatchObject({ done: [], paused: ['A'] });
    expect(runs).toHaveLength(1);
  });
});
