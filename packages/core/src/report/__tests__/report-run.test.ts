import { describe, expect, it } from 'vitest';
import { renderReportMarkdown } from '../render-markdown.js';
import { reportRun, terminalsOfRun } from '../report-run.js';
import { type ReportWords, reportSections } from '../report-sections.js';
import { createHistory } from './history.js';

const WORDS: ReportWords = {
  time: (at) => new Date(at).toISOString().slice(11, 19),
  span: (ms) => `${ms / 1_000} s`,
  number: String,
};

/** A run with everything in it. */
function longRun() {
  const world = createHistory();
  world.start();
  world.terminal('conversation.observed', { agentId: 'a1', conversationId: 'c1' });
  world.terminal('protocol.observed', { what: 're-injected', tokens: 120 });
  world.terminal('protocol.observed', { what: 'resumed' });
  world.terminal('reminder.given', { kind: 'ledger', tokens: 700 });
  world.terminal('protocol.observed', { what: 'corrected' });
  world.run('step.completed', { visit: 1, at: 'plan', output: 'Three | files\nto change' });
  world.run('usage.counted', {
    turns: 4,
    inputTokens: 90_000,
    cachedTokens: 60_000,
    outputTokens: 2_000,
    activeMs: 9_000,
  });
  world.run('tasks.set', {
    visit: 2,
    at: 'build',
    loop: 'build',
    tasks: [
      { id: 'one', title: 'First', status: 'pending' },
      { id: 'two', title: 'Second', status: 'pending' },
    ],
  });
  world.run('context-action.requested', { visit: 2, action: 'compact' });
  world.run('context-action.performed', { visit: 2, attempt: 1, how: '/compact' });
  world.run('context-action.observed', { visit: 2, evidence: 'compact_boundary' });
  world.terminal('permission.observed', { tool: 'run_command', detail: 'npm test' });
  world.terminal('renewal.started', { cause: 'firm mark', oldAgentId: 'a1', newAgentId: 'a2', ask: true, at: 0 });
  world.terminal('handoff.missed', { reason: 'timeout' });
  const document = world.terminal('document.verified', { document: 'x'.repeat(500), added: ['src/cart.ts'] });
  world.terminal('checkpoint.saved', {
    ref: 'refs/devs/checkpoints/run-r1/1',
    commit: 'c0ffee',
    leftOut: ['.env (secret)'],
  });
  world.terminal('agent.cleared', { agentId: 'a1', alsoEnded: ['vite'] });
  world.terminal('agent.ended', { forced: false });
  world.terminal('agent.spawned', { agentId: 'a2' });
  world.terminal('takeover.confirmed');
  world.terminal('agent.exited', { agentId: 'a2', exit: { kind: 'crashed', exitCode: 137 } });
  world.terminal('restart.started', { agentId: 'a3', conversation: { kind: 'resume', id: 'c2' }, why: 'crash' });
  world.terminal('terminal.parked', { until: 1_769_850_600_000, why: 'usage limit' });
  world.run('run.paused', { why: 'Ctrl-C' });
  world.wait(3_600);
  world.run('run.begun', { by: 'anna', terminal: 'run-r1' });
  world.run('step.completed', { visit: 2, at: 'build.one.code', output: 'done' });
  world.run('stuck.noticed', { kind: 'same-error', detail: 'npm test' });
  world.run('escalation.raised', { escalationId: 'e1', question: 'Which currency?', diagnosis: 'The spec has none' });
  world.run('escalation.answered', { escalationId: 'e1', answer: 'Euro' });
  world.run('escalation.settled', { escalationId: 'e1', how: 'the agent was told' });
  world.run('budget.reached', { budget: 'usd', detail: '2 of 2' });
  world.run('step.completed', { visit: 3, at: 'build.two.code', output: 'done' });
  world.run('usage.counted', { turns: 6, inputTokens: 30_000, cachedTokens: 0, outputTokens: 500, costUsd: 0.5 });
  const left = [{ what: 'server.pem', why: 'secret' }];
  world.run('commits.observed', { commits: [{ hash: '0123456789abcdef', subject: 'Add the cart' }], left });
  world.run('check.ran', { command: ['npm', 'test'], exitCode: 1, tail: 'ok 1\nnot ok 2' });
  world.run('run.finished', { outcome: 'done', detail: '' });
  return { world, document };
}

describe('the report of a run', () => {
  it('counts the second step from the end of the first, also where the run was recorded as begun after it', () => {
    const world = createHistory();
    world.run('step.completed', { visit: 1, at: 'plan', output: '' });
    world.wait(5);
    world.run('run.begun', { by: 'anna', terminal: 'run-r1' });
    world.run('step.completed', { visit: 2, at: 'build', output: '' });
    expect(reportRun(world.history()).steps.map(({ workMs }) => workMs)).toEqual([0, 7_000]);
  });

  it('counts what happened, in the run and in its terminals', () => {
    const { world, document } = longRun();
    const report = reportRun(world.history());

    expect(report).toMatchObject({
      request: 'Add a cart',
      outcome: { kind: 'done' },
      usage: { turns: 10, inputTokens: 120_000, cachedTokens: 60_000, outputTokens: 2_500, costUsd: 0.5 },
      reinjections: { count: 1, tokens: 120, share: 0.001 },
      ledgers: { count: 1, tokens: 700 },
      answers: { resumed: 1, corrected: 1 },
      contextActions: [{ action: 'compact', outcome: 'observed', detail: 'compact_boundary' }],
      crashes: [{ detail: 'exit code 137', resumed: true }],
      parks: [{ why: 'usage limit' }],
      pauses: [{ why: 'Ctrl-C' }],
      begun: 2,
      stuck: [{ kind: 'same-error', detail: 'npm test' }],
      budgets: [{ budget: 'usd' }],
      escalations: [{ id: 'e1', question: 'Which currency?', answer: 'Euro', fate: { kind: 'seen' } }],
      tasks: [
        { id: 'one', status: 'done' },
        { id: 'two', status: 'done' },
      ],
      commits: [{ subject: 'Add the cart' }],
      left: [{ what: 'server.pem', why: 'secret' }],
      checks: [{ exitCode: 1 }],
    });
    expect(report.renewals).toEqual([
      expect.objectContaining({
        cause: 'firm mark',
        outcome: 'completed',
        ownWords: 'timeout',
        added: ['src/cart.ts'],
        document: { stream: 'terminal:run-r1', position: document.position, characters: 500 },
        checkpoint: { ref: 'refs/devs/checkpoints/run-r1/1', commit: 'c0ffee', leftOut: ['.env (secret)'] },
        conversationBefore: 'c1',
        alsoEnded: ['vite'],
        lost: ['the permission for run_command npm test', 'its own words (timeout)'],
      }),
    ]);
  });

  it('says what each step and each task cost, where an agent or a price says it', () => {
    const world = createHistory();
    world.start();
    const counted = (costUsd: number) =>
      world.run('usage.counted', { turns: 1, inputTokens: 1, cachedTokens: 0, outputTokens: 1, costUsd });
    world.run('step.completed', { visit: 1, at: 'plan', output: '' });
    const task = (id: string) => ({ id, title: id, status: 'pending' });
    world.run('tasks.set', { visit: 2, at: 'build', loop: 'build', tasks: [task('one'), task('two')] });
    counted(0.25); // right after the step has ended
    counted(0.5); // at a pause within the next one
    world.run('step.completed', { visit: 2, at: 'build.one.code', output: '' });
    counted(1);
    const report = reportRun(world.history());
    expect(report.steps.map(({ at, costUsd }) => [at, costUsd])).toEqual([
      ['plan', 0.25],
      ['build.one.code', 1.5],
    ]);
    expect(report.tasks.map(({ id, costUsd }) => [id, costUsd])).toEqual([
      ['one', 1.5],
      ['two', undefined],
    ]);
    expect(report.usage.costUsd).toBe(1.75);
    expect(renderReportMarkdown(reportSections(report, WORDS))).toContain('1.50');
  });

  it('says how long each step took, without the time in which the run was unsupervised', () => {
    const { steps } = reportRun(longRun().world.history());

    expect(steps.map(({ at }) => at)).toEqual(['plan', 'build.one.code', 'build.two.code']);
    expect(steps.map(({ workMs }) => workMs < 60_000)).toEqual([true, true, true]);
    expect(steps[1]?.endedAt).toBeGreaterThan((steps[1]?.startedAt ?? 0) + 3_600_000);
  });

  it.each([
    ['open', () => {}, 'open', 'plan (step 1 of 2)'],
    ['paused', (run: Run) => run('run.paused', { why: 'Ctrl-C' }), 'paused', 'plan (step 1 of 2)'],
    [
      'escalated',
      (run: Run) => run('escalation.raised', { escalationId: 'e', question: 'Why?', diagnosis: '' }),
      'escalated',
      'plan (step 1 of 2)',
    ],
    [
      'given up',
      (run: Run) => run('run.finished', { outcome: 'given-up', detail: '' }),
      'given-up',
      'plan (step 1 of 2)',
    ],
  ] as const)('of a run that is %s says its position', (_, change, outcome, position) => {
    const world = createHistory();
    world.start();
    change(world.run);
    expect(reportRun(world.history())).toMatchObject({ outcome: { kind: outcome }, position });
  });
  type Run = ReturnType<typeof createHistory>['run'];

  it('of a history that no writer of ours has made is still there', () => {
    const world = createHistory();
    world.start();
    world.run('step.completed', { visit: 1, at: 'plan', output: '' });
    world.run('step.completed', { visit: 2, at: 'build', output: '' });
    world.run('some.thing', { of: 'a later version' });
    expect(reportRun(world.history()).steps).toHaveLength(2);
    expect(reportRun({ id: 'none', run: [], terminals: new Map() })).toMatchObject({ outcome: { kind: 'open' } });
  });

  it('does not tell a renewal that was abandoned as a loss', () => {
    const world = createHistory();
    world.start();
    world.terminal('permission.observed', { tool: 'x', detail: '' });
    world.terminal('renewal.started', { cause: 'soft mark', oldAgentId: 'a', newAgentId: 'b', ask: false, at: 0 });
    world.terminal('renewal.abandoned', { reason: 'the user is here' });
    expect(reportRun(world.history()).renewals).toMatchObject([{ outcome: 'abandoned', lost: [] }]);
  });

  it('finds the terminals that the run names', () => {
    expect(terminalsOfRun(longRun().world.history().run)).toEqual(['run-r1']);
  });

  it("says how to merge in the user's current project, even if stored paths are stale", () => {
    const world = createHistory();
    world.start();
    world.run('worktree.made', { path: '/tmp/[redacted:high-entropy]/r1', branch: 'devs/r1' });
    const place = { folder: '/home/anna/shop', worktree: '/home/anna/my state/r1' };
    const report = () => reportRun({ ...world.history(), place });
    expect(report().howToMerge).toEqual([['git', '-C', '/home/anna/my state/r1', 'status']]);
    world.run('commits.observed', { commits: [{ hash: 'a', subject: 's' }] });
    world.run('run.finished', { outcome: 'done', detail: '' });
    const text = renderReportMarkdown(reportSections(report(), WORDS));
    expect(text).toContain('git merge devs/r1\ngit worktree remove r1');
    expect(text).toContain('/home/anna/my state/r1');
    expect(text).not.toContain('redacted');
    const gone = reportRun({ ...world.history(), place: { folder: '/home/anna/shop' } });
    expect(gone.howToMerge).toEqual([['git', 'merge', 'devs/r1']]);
    expect(renderReportMarkdown(reportSections(gone, WORDS))).toContain('its worktree, since removed');
    world.run('run.merged', { into: 'main', commit: '0123456789abcdef' });
    expect(report().howToMerge).toEqual([]);
  });

  it.each([
    ['under way', 'Run r1: under way', 'devs attach run-r1\ndevs stop r1', () => {}, 'anna@laptop (7)'],
    ['interrupted', 'Run r1: interrupted', 'devs resume r1', () => {}, undefined],
    ['paused', 'Run r1: paused', 'devs resume r1', (run: Run) => run('run.paused', { why: 'Ctrl-C' }), undefined],
    [
      'asking',
      'Run r1: needs you',
      'devs answer q-1 "…"\ndevs resume r1',
      (run: Run) => run('escalation.raised', { escalationId: 'q-1', question: 'Why?', diagnosis: 'Odd' }),
      undefined,
    ],
  ] as const)('of a run that is %s says so, and what to type', (_, title, commands, change, lookedAfterBy) => {
    const world = createHistory();
    world.start();
    change(world.run);
    const history = { ...world.history(), ...(lookedAfterBy === undefined ? {} : { lookedAfterBy }) };
    const text = renderReportMarkdown(reportSections(reportRun(history), WORDS));
    expect(text).toContain(`# ${title}\n`);
    expect(text).toContain(commands);
    expect(text).not.toContain('git merge');
    expect(text).toContain('works in');
  });
});

describe('the report as Markdown', () => {
  it('has every part that something happened in, and agents cannot break its tables', () => {
    const text = renderReportMarkdown(reportSections(reportRun(longRun().world.history()), WORDS));

    expect(text).toMatch(/^# Run r1: done\n/);
    const titles = text.split('\n').filter((line) => line.startsWith('## '));
    expect(titles).toEqual(
      [
        'Steps',
        'Tasks',
        'Model',
        'Renewals',
        'Context actions',
        'Interruptions',
        'Escalations',
        'Commits',
        'Not on the branch',
        'Checks',
      ]
        .concat('To merge')
        .map((title) => `## ${title}`),
    );
    expect(text).toContain('Three \\| files to change');
    expect(text).toContain('once, 120 tokens, 0.10 % of the input');
    expect(text).toContain('devs report r1 --handoff 1');
    expect(text).toContain('you said: Euro');
  });
});
