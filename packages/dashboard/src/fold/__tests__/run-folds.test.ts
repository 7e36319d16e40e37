import type { StoredEvent } from '@devs/core/folds';
import { describe, expect, it } from 'vitest';
import { costByDay, costRows } from '../cost-table.js';
import { describeForecast, dryRun, forecastOf } from '../forecast.js';
import { handoffViews } from '../handoff-view.js';
import { parseDiff } from '../parse-diff.js';
import { createProjectFold } from '../project-fold.js';
import { receiptsOf } from '../receipts.js';
import { criticalPath, taskViews } from '../task-graph.js';
import { promptsOf, timelineOf } from '../timeline.js';
import { workflowPicture } from '../workflow-picture.js';
import { append, endSteps, everything, openTestStore, storeRun, tellRun } from './stored-run.js';

const samples = (...used: readonly number[]) =>
  used.map((usedTokens, index) => ({ at: index * 10, position: index, usedTokens, windowTokens: 100 }));

describe('what the policy will do next', () => {
  it.each([
    [[], 'Nothing is measured yet.'],
    [[20, 20], 'The context does not grow: nothing is due.'],
    [[20, 30], 'Renews at the first step end after about 2 more turns, at the soft mark.'],
    [[80, 10, 40], 'Renews at the first step end after about 1 more turn, at the soft mark.'],
    [[40, 55], 'Above the soft mark: renews at the next step end.'],
    [[40, 70], 'Above the firm mark: renews as soon as the agent pauses.'],
  ])('after %j: %s', (used, words) => {
    expect(describeForecast(forecastOf(samples(...used)))).toBe(words);
  });

  it('tries other marks on the past', () => {
    const past = samples(10, 30, 45, 60, 75);

    expect(dryRun(past, { marks: { soft: 0.5, firm: 0.65 }, boundaries: [] })).toEqual([40]);
    expect(dryRun(past, { marks: { soft: 0.5, firm: 0.65 }, boundaries: [25] })).toEqual([30]);
    expect(dryRun(past, { marks: { soft: 0.4, firm: 0.65 }, boundaries: [15] })).toEqual([20]);
  });
});

const event = (type: string, data: StoredEvent['data'], at = 0): StoredEvent => ({
  position: at + 1,
  stream: 'run:a',
  version: at + 1,
  at,
  type,
  data,
});

it('gives a receipt for each context action: asked, performed, observed', () => {
  const events = [
    event('context-action.requested', { action: 'clear' }, 1),
    event('context-action.performed', { attempt: 1, how: 'typing' }, 2),
    event('context-action.observed', { evidence: 'a new conversation' }, 3),
    event('context-action.asked', { action: 'compact' }, 4),
  ];

  expect(receiptsOf(events)).toEqual([
    {
      action: 'clear',
      by: 'devs',
      askedAt: 1,
      performed: [{ at: 2, how: 'typing' }],
      end: { at: 3, isObserved: true, detail: 'a new conversation' },
    },
    { action: 'compact', by: 'agent', askedAt: 4, performed: [] },
  ]);
});

it('marks in a handoff what was added, and what is new since the one before', () => {
  const [first, second] = handoffViews('a', [
    event('document.verified', { document: 'one\nsrc/cart.ts', added: ['the file src/cart.ts'] }, 1),
    event('document.verified', { document: 'one\ntwo', added: [] }, 2),
  ]);

  expect(first?.added).toEqual([{ what: 'the file src/cart.ts', line: 1 }]);
  expect(first?.lines.some(({ isNew }) => isNew)).toBe(false);
  expect(second?.lines).toEqual([
    { text: 'one', isNew: false },
    { text: 'two', isNew: true },
  ]);
});

it('reads what git prints', () => {
  const text = 'diff --git a/a.js b/a.js\nindex 1..2\n--- a/a.js\n+++ b/a.js\n@@ -1,2 +1,2 @@\n same\n-old\n+new\n';

  expect(parseDiff(text)).toMatchObject([{ name: 'a.js', added: 1, removed: 1 }]);
  expect(parseDiff('diff --git a/b.png b/b.png\nBinary files differ\n')).toMatchObject([{ name: 'b.png', lines: [] }]);
  expect(parseDiff('')).toEqual([]);
});

it('says of each task why it stands where it does, and what is critical', async () => {
  const { store } = openTestStore();
  await store.tasks.add([
    { id: 'a', intent: 'A', blocked: 'no key' },
    { id: 'b', intent: 'B', depends_on: ['a'] },
    { id: 'c', intent: 'C', depends_on: ['b'] },
    { id: 'd', intent: 'D' },
  ]);
  const { tasks } = await store.tasks.list({ limit: 10 });
  const known = new Map(tasks.map((task) => [task.id, task]));

  expect(taskViews(known).map(({ id, why, frees }) => [id, why, frees])).toEqual([
    ['a', 'blocked: no key', 2],
    ['b', 'waits for a, which is blocked', 1],
    ['c', 'waits for b', 0],
    ['d', 'may begin', 0],
  ]);
  expect(criticalPath(known)).toEqual(['a', 'b', 'c']);
});

describe('a run', () => {
  async function foldRun() {
    const opened = openTestStore();
    await storeRun(opened, 'a');
    await append(opened, 'terminal:a', { type: 'prompt.intended', data: { promptId: 'p', text: 'Plan it.\nWell.' } });
    await endSteps(opened, 'a', ['planned', 'better']);
    const used = { turns: 1, inputTokens: 100, cachedTokens: 50, outputTokens: 10, costUsd: 0.5 };
    await tellRun(opened, 'a', { type: 'usage.counted', ...used }, { type: 'usage.counted', ...used });
    const fold = createProjectFold('/shop');
    const events = await everything(opened);
    fold.add(events, events.length);
    return fold.state;
  }

  it('is shown as a picture with where it is', async () => {
    const workflow = (await foldRun()).runs.get('a')?.workflow;

    expect(workflow && workflowPicture(workflow)).toEqual([
      { id: 'plan', type: 'action', state: 'done', output: 'planned' },
      { id: 'improve', type: 'ralph', state: 'now', rounds: { now: 2, of: 2 } },
      { id: 'review', type: 'action', state: 'open', context: 'clear' },
    ]);
  });

  it('has a timeline of its stream and its terminal, and the exact prompts', async () => {
    const project = await foldRun();
    const run = project.runs.get('a');
    const items = run === undefined ? [] : timelineOf(run, project);

    expect(items.map(({ kind }) => kind)).toEqual(['step', 'other', 'other', 'prompt', 'step', 'step']);
    expect(promptsOf(items).map(({ prompt }) => prompt)).toEqual(['Plan it.\nWell.']);
  });

  it('is counted once, per run and per day', async () => {
    const project = await foldRun();

    expect(costRows([project])).toMatchObject([{ run: 'a', turns: 2, inputTokens: 200, costUsd: 1 }]);
    expect(costByDay([project], () => 'today')).toEqual([{ day: 'today', tokens: 220, costUsd: 1 }]);
  });
});
