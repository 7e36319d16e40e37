import { DEFAULT_SETTINGS, openStore, runEventOf, runStream } from '@devs/core';
import { createManualClock, createMemoryBackend } from '@devs/core/testing';
import type { QueueNews, RunNews, SupervisorPort } from '@devs/supervisor';
import { describe, expect, it } from 'vitest';
import { createRuns, type LocalRuns, type NewQueueOrder, type NewRunOrder } from '../create-runs.js';

type Answers<News> = (seen: number) => News | undefined;

/** A supervisor that answers what it is told to, and counts what is started. */
async function openRuns({ queue, run }: { readonly queue?: Answers<QueueNews>; readonly run?: Answers<RunNews> }) {
  let ids = 0;
  const newId = () => `${++ids}`;
  const store = openStore({ backend: createMemoryBackend(), clock: createManualClock(), newId });
  const started = { runs: 0, queues: 0 };
  const port = {
    runs: {
      async start() {
        started.runs += 1;
        return { status: 'started', run: 'run-1' };
      },
      wait: async (_: string, { seen }: { readonly seen: number }) => run?.(seen),
      async provide() {},
    },
    queues: {
      async start() {
        started.queues += 1;
        return { queue: 'queue-1' };
      },
      wait: async (_: string, { seen }: { readonly seen: number }) => queue?.(seen),
      async provide() {},
    },
  } as unknown as SupervisorPort;
  const supervisor = { use: <T>(work: (port: SupervisorPort) => Promise<T>) => work(port) };
  const caller = { folder: '/shop', environment: {} };
  const runs = createRuns({ local: {} as LocalRuns, supervisor: supervisor as never, caller, newId });
  const order = { settings: DEFAULT_SETTINGS, agent: 'builtin', store: { kind: 'project' }, merge: false };
  const plan = { request: 'Do it', workflow: 'w', agent: 'builtin', place: 'here', folder: '/shop' } as const;
  await store.log.append(runStream('run-1'), 0, [
    runEventOf({ type: 'run.prepared', ...plan, task: { id: 'A', fence: 1 } }),
    runEventOf({ type: 'run.paused', why: 'the user stopped it' }),
  ]);
  return {
    started,
    queue: (more: object = {}) => runs.queue(order as unknown as NewQueueOrder, { store, ...more }),
    start: () =>
      runs.start({ ...order, onEscalation: 'wait', subject: { runId: 'run-1' } } as unknown as NewRunOrder, { store }),
  };
}

const NEWS: QueueNews = {
  revision: 2,
  queue: 'queue-1',
  runs: ['run-1'],
  merges: [],
  notices: [],
  isOver: false,
  isLeft: false,
};

describe('a queue that is followed', () => {
  it('is not started again where it was known and is not any more: its records say how it ended', async () => {
    const told = [NEWS];
    const { queue, started } = await openRuns({ queue: () => told.shift() });
    expect(await queue()).toEqual({
      done: [],
      failed: [],
      blocked: [],
      paused: ['A'],
      left: [],
      why: 'the supervisor was stopped',
    });
    expect(started.queues).toBe(1);
  });

  it('is started again where its supervisor died before it said anything', async () => {
    const end = { done: ['A'], failed: [], blocked: [], paused: [], left: [] };
    const told = [undefined, { ...NEWS, isOver: true, end }];
    const { queue, started } = await openRuns({ queue: () => told.shift() });
    expect(await queue()).toEqual(end);
    expect(started.queues).toBe(2);
  });

  it('tells each merge once, also where the next supervisor tells them in another order', async () => {
    const end = { done: ['A'], failed: [], blocked: [], paused: [], left: [] };
    const merge = { isMerged: true, text: 'merged' };
    const told = [
      { ...NEWS, merges: [{ run: 'run-1', merge }] },
      {
        ...NEWS,
        runs: ['run-2', 'run-1'],
        merges: [
          { run: 'run-2', merge },
          { run: 'run-1', merge },
        ],
      },
      { ...NEWS, runs: [], isOver: true, end },
    ];
    const merged: string[] = [];
    const over = { revision: 1, run: '', notes: [], notices: [], isOver: true, isLeft: false } as const;
    const { queue } = await openRuns({ queue: () => told.shift(), run: () => over });
    await queue({ onMerge: (run: string) => merged.push(run) });
    expect(merged).toEqual(['run-1', 'run-2']);
  });
});

describe('a run that is followed', () => {
  it('is lost for the reason that its supervisor gives', async () => {
    const reason = 'the store could not be reached';
    const status = { state: 'running' } as never;
    const base = { run: 'run-1', notes: [], notices: [], isLeft: false };
    const told: RunNews[] = [
      { ...base, revision: 1, status, isOver: false },
      { ...base, revision: 2, isOver: true, outcome: { status: 'refused', reason, advice: 'Try again.' } },
    ];
    const { start } = await openRuns({ run: () => told.shift() });
    const outcome = await start();
    if (outcome.status !== 'started') throw new Error(outcome.status);
    expect(await outcome.run.done).toEqual({ status: 'lost', why: reason });
  });
});
