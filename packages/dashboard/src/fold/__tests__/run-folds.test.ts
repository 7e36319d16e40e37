import type { PressureMarks, StoredEvent } from '@devs/core/folds';
import { describe, expect, it } from 'vitest';
import { budgetViews } from '../budgets.js';
import { conversationItems, conversationsOf, withPage } from '../conversation.js';
import { costByDay, costRows } from '../cost-table.js';
import { describeForecast, dryRun, forecastOf } from '../forecast.js';
import { handoffViews } from '../handoff-view.js';
import { backstopTokens, marksOf, markTokens, projectAround } from '../marks.js';
import { parseDiff } from '../parse-diff.js';
import { createProjectFold } from '../project-fold.js';
import { receiptsOf } from '../receipts.js';
import { stepSpans } from '../step-spans.js';
import { criticalPath, taskViews } from '../task-graph.js';
import { promptsOf, timelineOf } from '../timeline.js';
import { wayOfPrompt } from '../way-of-prompt.js';
import { workflowPicture } from '../workflow-picture.js';
import { append, endSteps, everything, openTestStore, storeRun, tellRun } from './stored-run.js';

const samples = (...used: readonly number[]) =>
  used.map((usedTokens, index) => ({
    at: index * 10_000,
    position: index,
    usedTokens,
    windowTokens: 100,
    endsTurn: true,
  }));

const marksAt = (soft: number, firm: number): PressureMarks => ({
  soft: { share: soft, mostTokens: 1_000 },
  firm: { share: firm, mostTokens: 1_000 },
});

describe('a prompt on its way', () => {
  const event = (type: string): StoredEvent => ({
    type,
    position: 1,
    stream: 'terminal:a',
    version: 1,
    at: 1,
    data: {},
  });

  it.each([
    [[], 'sent'],
    [['usage.observed', 'prompt.intended'], 'typed'],
    [['prompt.repeated', 'usage.observed'], 'typed'],
    [['prompt.intended', 'prompt.settled'], 'settled'],
    [['prompt.settled', 'prompt.intended'], 'typed'],
  ] as const)('is after %j %s', (types, way) => {
    expect(wayOfPrompt(types.map(event))).toBe(way);
  });
});

describe('what the policy will do next', () => {
  it.each([
    [[], 'Nothing is measured yet.'],
    [[20, 20], 'Next: nothing. The context does not grow.'],
    [[20, 30], 'Next: a renewal at the first step end after about 2 more turns (20 s), when the soft mark is reached.'],
    [
      [80, 10, 40],
      'Next: a renewal at the first step end after about 1 more turn (10 s), when the soft mark is reached.',
    ],
    [[40, 55], 'Next: a renewal at the end of this step. The soft mark is reached.'],
    [[40, 70], 'Next: a renewal as soon as the agent pauses. The firm mark is reached.'],
  ])('after %j: %s', (used, words) => {
    expect(describeForecast(forecastOf(samples(...used)))).toBe(words);
  });

  it('counts turns, not the samples within a long one', () => {
    const [first, within, last] = samples(10, 20, 30);
    if (first === undefined || within === undefined || last === undefined) throw new Error('three samples');

    expect(forecastOf([first, { ...within, endsTurn: false }, last])).toEqual({ kind: 'soft', turns: 1, ms: 20_000 });
  });

  it('takes the marks of the project, in shares and in tokens', () => {
    const marks = marksOf([
      { key: 'pressure.soft.share', value: 0.2 },
      { key: 'pressure.firm.tokens', value: 30 },
    ]);

    expect(markTokens(marks.soft, 100)).toBe(20);
    expect(markTokens(marks.firm, 100)).toBe(30);
    expect(forecastOf(samples(10, 25), marks)).toEqual({ kind: 'at-step-end' });
    expect(forecastOf(samples(10, 30), marks)).toEqual({ kind: 'now' });
  });

  it.each([
    ['claude', 167_000],
    ['builtin', 160_000],
    ['generic', undefined],
  ])('knows where %s compacts by itself: %s', (agent, tokens) => {
    expect(backstopTokens(agent, 200_000)).toBe(tokens);
  });

  it('finds the project around a folder', () => {
    const projects = [{ root: '/a' }, { root: '/a/b' }];

    expect(projectAround(projects, '/a/b/c')).toEqual({ root: '/a/b' });
    expect(projectAround(projects, '/ab')).toBeUndefined();
  });

  it('tries other marks on the past', () => {
    const past = samples(10, 30, 45, 60, 75);

    expect(dryRun(past, { marks: marksAt(0.5, 0.65), boundaries: [] })).toEqual([40_000]);
    expect(dryRun(past, { marks: marksAt(0.5, 0.65), boundaries: [25_000] })).toEqual([30_000]);
    expect(dryRun(past, { marks: marksAt(0.4, 0.65), boundaries: [15_000] })).toEqual([20_000]);
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
      { id: 'improve', type: 'ralph', state: 'now', output: 'better', rounds: { now: 2, of: 2 } },
      { id: 'review', type: 'action', state: 'open', context: 'clear' },
    ]);
  });

  it('has a timeline of its stream and its terminal, and the exact prompts', async () => {
    const project = await foldRun();
    const run = project.runs.get('a');
    const items = run === undefined ? [] : timelineOf(run, project);

    expect(items.map(({ kind }) => kind)).toEqual(['step', 'other', 'other', 'prompt', 'step', 'step', 'turn', 'turn']);
    expect(promptsOf(items).map(({ prompt }) => prompt)).toEqual(['Plan it.\nWell.']);
  });

  it('is counted once, per run and per day', async () => {
    const project = await foldRun();

    expect(costRows([project])).toMatchObject([{ run: 'a', turns: 2, inputTokens: 200, costUsd: 1 }]);
    expect(costByDay([project], () => 'today')).toEqual([{ day: 'today', tokens: 220, costUsd: 1, activeMs: 0 }]);
  });
});

describe('the steps of a run', () => {
  const counted = (turns: number) =>
    event('usage.counted', { turns, inputTokens: turns * 10, outputTokens: turns, costUsd: turns / 100 });

  it('have what was counted, and the commits that were seen, right after each ended', () => {
    const spans = stepSpans([
      event('worktree.made', { base: 'b0' }),
      event('step.completed', { at: 'plan' }, 5),
      counted(2),
      event('step.completed', { at: 'code' }, 9),
      counted(3),
      event('head.observed', { commit: 'c1' }),
      counted(1),
    ]);

    expect(spans.map(({ name, turns, base, tip, costUsd }) => [name, turns, base, tip, costUsd])).toEqual([
      ['plan', 2, 'b0', 'b0', 0.02],
      ['code', 3, 'b0', 'c1', 0.03],
      ['', 1, 'c1', 'c1', 0.01],
    ]);
  });

  it('are none before the first one has ended', () => {
    expect(stepSpans([event('worktree.made', { base: 'b0' })])).toEqual([]);
  });
});

describe('a conversation', () => {
  const call = { kind: 'call', callId: 'c', tool: 't', title: 'x', changes: [] } as const;
  const result = { kind: 'result', callId: 'c', text: 'y', outcome: 'ok' } as const;
  const text = { kind: 'text', text: 'hi' } as const;

  it('shows each result with its call', () => {
    expect(conversationItems([call, text, result], 7)).toEqual([
      { kind: 'called', key: 7, call, result },
      { kind: 'said', key: 8, entry: text },
    ]);
  });

  it('grows page by page, and begins anew where the page is of another one', () => {
    const first = withPage({ first: 0, entries: [] }, { conversation: 'a', first: 0, entries: [text] });
    const grown = withPage(first, { conversation: 'a', first: 1, entries: [call] });

    expect(grown.entries).toEqual([text, call]);
    expect(withPage(grown, { conversation: 'a', first: 2, entries: [] })).toBe(grown);
    expect(withPage(grown, { conversation: 'b', first: 0, entries: [result] }).entries).toEqual([result]);
  });

  it('is known once its record is', () => {
    const observed = (conversationId: string, path?: string) =>
      event('conversation.observed', { conversationId, ...(path === undefined ? {} : { path }) }, 3);

    expect(conversationsOf([observed('a'), observed('b', '/b'), observed('b', '/b')])).toEqual([{ id: 'b', at: 3 }]);
  });
});

it('tells how much of each budget is used', () => {
  const row = { inputTokens: 900, outputTokens: 100, costUsd: 2, activeMs: 120_000 } as ReturnType<
    typeof costRows
  >[number];
  const settings = [
    { key: 'budget.usd', value: 5 },
    { key: 'budget.day.tokens', value: 10_000 },
    { key: 'budget.day.minutes' },
  ];
  const today = { day: 'd', tokens: 4_000, costUsd: 3, activeMs: 0 };

  expect(budgetViews(settings, { rows: [row], today })).toEqual([
    { what: 'Largest run', limit: 5, used: 2, unit: 'usd' },
    { what: 'Today, all runs', limit: 10_000, used: 4_000, unit: 'tokens' },
  ]);
});
