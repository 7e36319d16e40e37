import { type RunPlan, runEventOf, type Store, type TaskRecord } from '@devs/core';
import type { QueueEnd } from '@devs/supervisor';
import { describe, expect, it } from 'vitest';
import { createWorld } from '../../__tests__/run-here.js';
import type { Runs, StartRequest } from '../runs.js';
import { createAppender, createFakeRuns } from './fake-runs.js';

const WORKFLOW = 'name: feature\ndescription: d\nsteps: [{ id: plan, type: action, instructions: Plan it }]\n';
const WORKFLOWS = {
  find: async () => [{ name: 'feature', path: 'feature.yaml', shown: 'feature.yaml', origin: 'shipped' as const }],
  read: async () => WORKFLOW,
  waiting: async () => undefined,
  make: () => Promise.reject(new Error('no folder')),
};

function createRunWorld(changes: Partial<Runs>) {
  const world = createWorld({ runs: { ...createFakeRuns().runs, ...changes }, workflowFiles: WORKFLOWS });
  return world;
}

const NONE: QueueEnd = { done: [], failed: [], blocked: [], paused: [], left: [] };

const TASK: TaskRecord = {
  id: 'A',
  intent: 'Fix it',
  depends_on: [],
  open_dependencies: [],
  priority: 0,
  fence: 1,
  status: 'pending',
  added_at: 0,
  version: 1,
};

function createMergeWorld() {
  const { runs } = createFakeRuns();
  const store = async (records: Store, plan: RunPlan) => {
    const made = [
      { type: 'run.prepared', ...plan },
      { type: 'worktree.made', path: '/w', branch: 'devs/abc123' },
    ] as const;
    await createAppender(records, 'abc123')(made.map(runEventOf));
  };
  return { ...createWorld({ runs, workflowFiles: WORKFLOWS }), runs, store };
}

describe('devs run --queue', () => {
  it.each<[string, Partial<QueueEnd>, number]>([
    ['nothing was to be done', {}, 0],
    ['all is done', { done: ['A'] }, 0],
    ['one failed', { done: ['A'], failed: ['B'] }, 1],
    ['one is blocked since before', { left: [{ taskId: 'A', why: 'it is blocked: which?' }] }, 1],
    ['no more were begun', { done: ['A'], why: 'the budget is reached' }, 1],
  ])('where %s', async (_, end, exitCode) => {
    const { devs } = createRunWorld({ queue: async () => ({ ...NONE, ...end }) });
    expect((await devs(['run', '--queue'])).exitCode).toBe(exitCode);
  });

  it('asks of its agents what stands in the description of a task, too', async () => {
    const asked: string[] = [];
    const task = { id: 'A', intent: 'Fix it', depends_on: [], open_dependencies: [], priority: 0, fence: 1 };
    const stored = { ...task, status: 'pending' as const, added_at: 0, version: 1 };
    const { devs } = createRunWorld({
      async queue({ planFor }) {
        asked.push(planFor(stored).request, planFor({ ...stored, description: 'On both pages.' }).request);
        return NONE;
      },
    });
    await devs(['run', '--queue']);
    expect(asked).toEqual(['Fix it', 'Fix it\n\nOn both pages.']);
  });

  it('merges each task that is done, one after another, and keeps the branches until the end', async () => {
    const did: string[] = [];
    const { devs, runs, store } = createMergeWorld();
    const merging: Partial<Runs> = {
      ...runs,
      async queue({ store: records, planFor, afterDone }) {
        await store(records, planFor(TASK));
        await afterDone?.('abc123');
        did.push('the queue is empty');
        return { ...NONE, done: ['A'] };
      },
      async merge({ id }) {
        did.push(`merged ${id}`);
        return { outcome: 'merged', into: 'main', commit: '0123456789', how: 'fast-forward' };
      },
      async removeWorktree(id) {
        did.push(`removed ${id}`);
        return { outcome: 'removed', keptBranch: false };
      },
    };
    const { exitCode, stdout } = await devs(['run', '--queue', '--merge'], { runs: { ...runs, ...merging } });
    expect(did).toEqual(['merged abc123', 'the queue is empty', 'removed abc123']);
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('abc123: Merged into main as 0123456789.')]);
  });

  it('names what it could not begin', async () => {
    const left = Array.from({ length: 22 }, (_, at) => ({ taskId: `T${at}`, why: 'anna has claimed it' }));
    const { devs } = createRunWorld({ queue: async () => ({ ...NONE, left }) });
    const { stdout } = await devs(['run', '--queue']);
    expect(stdout).toContain('0 tasks done, 0 failed, 0 blocked, 0 paused.\nT0 was not begun: anna has claimed it\n');
    expect(stdout).toContain('2 more were not begun; see `devs task list`.');
  });
});

describe('devs run that is stopped by Ctrl-C while it is being prepared', () => {
  it('calls that off, and says how to go on', async () => {
    const begun: StartRequest[] = [];
    const { devs, interrupt } = createRunWorld({
      start(request) {
        begun.push(request);
        return new Promise((resolve) => {
          const cancelled = { status: 'cancelled', runId: 'abc123', why: 'the user stopped it' } as const;
          request.signal?.addEventListener('abort', () => resolve(cancelled));
        });
      },
    });
    const ended = devs(['run', 'Add a cart']);
    while (begun.length === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(interrupt()).toBe(true);
    const { exitCode, stdout, stderr } = await ended;
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: '' });
    expect(stdout).toContain('Run abc123 is paused: the user stopped it\nGo on with `devs resume abc123`');
  });
});
