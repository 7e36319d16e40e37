import { setTimeout as pause } from 'node:timers/promises';
import { type Dispatcher, hasLabels, type TaskRecord, type Ticket } from '@devs/core';
import { describe, expect, it } from 'vitest';
import { newRun, openRunWorld } from '../../__tests__/run-world.js';
import type { RunHandle } from '../../run.js';
import { serveQueue, serveTickets } from '../serve-queue.js';

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

  it('holds the kind of a task whose agent waits for a limit, and gives its slot back where that takes long', async () => {
    const { world, parts } = await openRunWorld({ git: true });
    const { tasks } = world.store;
    await tasks.add([
      { id: 'A', intent: 'Waits', needs: ['claude'], priority: 1 },
      { id: 'B', intent: 'Goes on' },
    ]);
    const over = new AbortController();
    const { dispatcher, held } = createPlainDispatcher();
    let passes = () => {};
    const passed = new Promise<void>((resolve) => {
      passes = resolve;
    });
    const end = serveTickets({
      store: world.store,
      by: parts.by,
      dispatcher,
      machine: 'ant',
      labels: ['claude'],
      parallel: 1,
      issueMs: 50,
      over: over.signal,
      async carryOut({ task }, _runs, onParked) {
        if (task.id === 'A') {
          onParked(20 * 60_000);
          await passed;
        }
        await tasks.complete({ id: task.id, fence: task.fence });
        return { status: 'finished', outcome: 'done', detail: '' };
      },
    });
    const statusOf = async (id: string) => (await tasks.get(id))?.status;
    await world.until('the second task', async () => (await statusOf('B')) === 'done');
    expect([await statusOf('A'), held]).toEqual(['in_progress', ['claude 1200000']]);
    over.abort();
    passes();
    expect(await end).toMatchObject({ done: ['B', 'A'] });
  });

  it('begins no more tasks at a time than all machines together may', async () => {
    const { world, parts } = await openRunWorld({ git: true });
    const { tasks } = world.store;
    await tasks.add(Array.from({ length: 8 }, (_, n) => ({ id: `t${n}`, intent: `Task ${n}` })));
    const over = new AbortController();
    const { dispatcher } = createPlainDispatcher();
    let [atWork, most] = [0, 0];
    const serve = (machine: string) =>
      serveTickets({
        store: world.store,
        by: `${parts.by} on ${machine}`,
        dispatcher,
        machine,
        labels: [],
        parallel: 1,
        parallelInAll: 2,
        issueMs: 50,
        timing: { leaseMs: 3_000, claimMs: 60_000 },
        over: over.signal,
        async carryOut({ task }) {
          most = Math.max(most, ++atWork);
          await pause(30);
          atWork--;
          await tasks.complete({ id: task.id, fence: task.fence });
          return { status: 'finished', outcome: 'done', detail: '' };
        },
      });
    const machines = [serve('ant'), serve('bee'), serve('cat')];
    await world.until('all tasks', async () => (await tasks.list({ statuses: ['done'], limit: 1 })).total === 8);
    expect(most).toBe(2);
    over.abort();
    await Promise.all(machines);
    expect(await world.store.leases.get('fleet-slot:0')).toBeUndefined();
  });
});
