import { collect, describeEvent, openStore, readAll, readNewest, type StoredEvent } from '@devs/core';
import { createManualClock, createMemoryBackend } from '@devs/core/testing';
import { describe, expect, it } from 'vitest';
import { plainPalette } from '../../screen/palette.js';

import { createEventRenderer } from '../render-event.js';

describe('an event in words', () => {
  it.each([
    ['task.added', { intent: 'Fix it', depends_on: ['a', 'b'] }, 'added: Fix it (after a, b)'],
    ['task.added', {}, 'added'],
    ['task.claimed', { by: 'anna', fence: 2 }, 'started by anna'],
    ['task.completed', { result: 'works' }, 'done: works'],
    ['task.completed', {}, 'done'],
    ['task.failed', { reason: 'no' }, 'failed: no'],
    ['task.blocked', { reason: 'no key' }, 'blocked: no key'],
    ['task.expired', { by: 'anna' }, 'given back: the lease of anna was over'],
    ['dependency.completed', { on: 'a' }, 'waits no longer for a'],
    ['dependency.reopened', { on: 'a' }, 'waits for a again'],
    ['terminal.started', { pid: 7 }, 'terminal.started {"pid":7}'],
    ['terminal.started', {}, 'terminal.started'],
    ['workflow.started', { template: { name: 'feature' }, summary: 'Faster' }, 'workflow feature started: Faster'],
    ['step.completed', { visit: 2, at: 'build.a.code', output: 'Coded' }, 'build.a.code done: Coded'],
    ['step.failed', { visit: 2, at: 'plan', reason: 'no idea' }, 'plan failed: no idea'],
    ['tasks.set', { loop: 'build', tasks: [{ title: 'One' }, { title: 'Two' }] }, '2 tasks for build: One, Two'],
    ['context-action.asked', { action: 'clear' }, 'the agent should now run /clear'],
    ['context-action.abandoned', { reason: 'never seen' }, 'gave up: never seen'],
    ['context-action.performed', { attempt: 2, how: 'command' }, 'sent (attempt 2, by command)'],
    [
      'run.prepared',
      { agent: 'claude', workflow: 'feature', request: 'Add it' },
      'agent claude, workflow feature: Add it',
    ],
    ['worktree.made', { path: '/w', branch: 'devs/r' }, 'works in /w on the branch devs/r'],
    ['run.paused', { why: 'Ctrl-C' }, 'paused: Ctrl-C'],
    ['escalation.raised', { question: 'Which?' }, 'needs you: Which?'],
    ['usage.counted', { turns: 1, inputTokens: 1_200, outputTokens: 3 }, '1 turn, 1,200 tokens in, 3 out'],
    ['commits.observed', { commits: [{ subject: 'One' }, { subject: 'Two' }] }, '2 commits: One, Two'],
    ['check.ran', { command: ['npm', 'test'], exitCode: 0 }, 'npm test passed'],
    ['check.ran', { command: ['npm', 'test'], exitCode: 1 }, 'npm test failed with exit code 1'],
    ['run.finished', { outcome: 'done', detail: '' }, 'run finished: done'],
    ['restart.started', { why: 'crash' }, 'the agent crashed; reopening its conversation'],
    ['agent.exited', { exit: { kind: 'crashed', exitCode: 9 } }, 'the agent crashed: exit code 9'],
    [
      'agent.exited',
      { exit: { kind: 'crashed', exitCode: 0, signal: 9 } },
      'the agent crashed: it was ended by SIGKILL',
    ],
    ['agent.exited', { exit: { kind: 'ended' } }, 'the agent was ended'],
    ['terminal.parked', { why: 'usage-limit' }, 'waits for the usage limit'],
    ['renewal.started', { cause: 'firm mark' }, 'renewal started (firm mark)'],
    ['document.verified', { document: 'x'.repeat(1_234) }, 'handoff written and verified, 1,234 characters'],
    ['protocol.observed', { what: 'resumed' }, 'a cut-off answer was completed'],
    ['reminder.given', { kind: 'specs', tokens: 9 }, 'reminded of the specs'],
  ])('%s %j', (type, data, words) => {
    expect(describeEvent({ type, data })).toBe(words);
  });
});

describe('a line of the log', () => {
  const calendar = { now: 0, timeZone: 'UTC' };
  const event: StoredEvent = {
    position: 1,
    version: 1,
    stream: 'task:fix-login',
    at: Date.UTC(2026, 0, 31, 14, 2, 5),
    type: 'task.failed',
    data: { reason: `\u001b[2J${'very '.repeat(50)}long` },
  };

  it('is cut at the edge of a terminal', () => {
    const { render } = createEventRenderer({ columns: 60, palette: plainPalette }, () => calendar);

    expect(render(event)).toBe('01-31 14:02:05  task:fix-login    failed: ␛[2Jvery very ver…');
  });

  it('stands below the one before it', () => {
    const other = { ...event, stream: 'task:a', type: 'task.retried' };
    const renderer = createEventRenderer({ columns: 80, palette: plainPalette }, () => calendar);
    renderer.expect([other, { ...event, stream: 'task:a-longer-name' }]);

    expect(renderer.render(other)).toBe('01-31 14:02:05  task:a              to be done again');
  });

  it('is whole in a pipe, and still safe', () => {
    const screen = { columns: Number.POSITIVE_INFINITY, palette: plainPalette };
    const line = createEventRenderer(screen, () => calendar).render(event);

    expect(line).toMatch(/^2026-01-31 .* long$/);
    expect(line).not.toContain('\u001b');
  });
});

describe('reading', () => {
  const note = (text: string) => ({ type: 'note.written', data: { text } });

  async function logOf(events: number) {
    let ids = 0;
    const { log } = openStore({ backend: createMemoryBackend(), clock: createManualClock(), newId: () => `${++ids}` });
    const texts = Array.from({ length: events }, (_, index) => String(index + 1));
    for (let from = 0; from < events; from += 1_000) {
      await log.append('run:a', from, texts.slice(from, from + 1_000).map(note));
    }
    await log.append('run:b', 0, [note('other')]);
    return log;
  }

  it('goes through a log of any length', async () => {
    expect((await collect(readAll(await logOf(2_500)))).map(({ position }) => position)).toEqual(
      Array.from({ length: 2_501 }, (_, index) => index + 1),
    );
  });

  it.each([
    { limit: 2, stream: undefined, end: 2_501, texts: ['2500', 'other'] },
    { limit: 2, stream: 'run:a', end: 2_501, texts: ['2499', '2500'] },
    { limit: 2, stream: 'run:a', end: 2_000, texts: ['1999', '2000'] },
    { limit: 9, stream: 'run:b', end: 2_501, texts: ['other'] },
    { limit: 0, stream: undefined, end: 2_501, texts: [] },
    { limit: 0, stream: 'run:a', end: 2_501, texts: [] },
  ])('gives the newest $limit of $stream up to $end', async ({ texts, ...query }) => {
    const newest = await readNewest(await logOf(2_500), query);

    expect(newest.map(({ data }) => data.text)).toEqual(texts);
  });
});
