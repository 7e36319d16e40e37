import type { QueueEnd } from '@devs/supervisor';
import { describe, expect, it } from 'vitest';
import { createWorld } from '../../__tests__/run-here.js';
import type { NewRunOrder, Runs } from '../create-runs.js';
import { createFakeRuns } from './fake-runs.js';

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

  it('says of each task whether its work was merged, and fails where one was not', async () => {
    const { devs } = createRunWorld({
      async queue(_order, { onMerge }) {
        onMerge?.('run-1', { isMerged: true, text: 'Merged into main as 0123456789.' });
        onMerge?.('run-2', { isMerged: false, text: 'not merged: a.txt is not committed' });
        return { ...NONE, done: ['A', 'B'] };
      },
    });
    const { exitCode, stdout, stderr } = await devs(['run', '--queue', '--merge']);
    expect([exitCode, stdout]).toEqual([1, expect.stringContaining('run-1: Merged into main as 0123456789.')]);
    expect(stderr).toContain('devs: run-2: not merged: a.txt is not committed');
  });

  it('names what it could not begin', async () => {
    const left = Array.from({ length: 22 }, (_, at) => ({ taskId: `T${at}`, why: 'anna has claimed it' }));
    const { devs } = createRunWorld({ queue: async () => ({ ...NONE, left }) });
    const { stdout } = await devs(['run', '--queue']);
    expect(stdout).toContain('0 tasks done, 0 failed, 0 blocked, 0 paused.\nT0 was not started: anna has claimed it\n');
    expect(stdout).toContain('2 more were not started; see `devs task list`.');
  });
});

describe('devs run that is stopped by Ctrl-C while it is being prepared', () => {
  it('cancels it, and says how to continue', async () => {
    const begun: NewRunOrder[] = [];
    const { devs, interrupt } = createRunWorld({
      start(order, { signal }) {
        begun.push(order);
        return new Promise((resolve) => {
          const cancelled = { status: 'cancelled', runId: 'abc123', why: 'the user stopped it' } as const;
          signal?.addEventListener('abort', () => resolve(cancelled));
        });
      },
    });
    const ended = devs(['run', 'Add a cart']);
    while (begun.length === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(interrupt()).toBe(true);
    const { exitCode, stdout, stderr } = await ended;
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: '' });
    expect(stdout).toContain('Run abc123 is paused: the user stopped it\nContinue with `devs resume abc123`');
  });
});
