import { describe, expect, it } from 'vitest';
import type { StoredEvent } from '../../ports/event-log.js';
import { reachedBudget } from '../budget.js';
import { type RunEvent, runEventOf } from '../run-event.js';
import { foldRun, NO_TOTALS } from '../run-facts.js';

const PLAN = { request: 'Do it', workflow: 'feature', agent: 'builtin', place: 'own', folder: '/p' } as const;
const fold = (...events: readonly (RunEvent | { readonly type: 'step.completed' })[]) =>
  foldRun(
    'run-1',
    events.map(
      (event, index): StoredEvent => ({
        ...runEventOf(event as RunEvent),
        stream: 'run:run-1',
        version: index + 1,
        position: index + 1,
        at: index,
      }),
    ),
  );
const ASKED = { type: 'escalation.raised', escalationId: 'q-1', question: 'Which?', diagnosis: 'It asked.' } as const;

describe('the record of a run', () => {
  it('says where it is, who has it and what it is about', () => {
    const facts = fold(
      { type: 'run.prepared', ...PLAN, task: { id: 'T1', fence: 1 } },
      { type: 'worktree.made', path: '/w', branch: 'devs/run-1', base: 'abc' },
      { type: 'run.begun', by: 'me', terminal: 'run-1' },
      { type: 'run.paused', why: 'stopped' },
      { type: 'task.held', taskId: 'T1', fence: 2 },
      { type: 'run.begun', by: 'you', terminal: 'run-1' },
    );
    expect(facts).toMatchObject({
      plan: PLAN,
      worktree: { path: '/w', branch: 'devs/run-1', base: 'abc' },
      phase: { kind: 'begun' },
      begun: { by: 'you' },
      task: { id: 'T1', fence: 2 },
    });
    expect(fold({ type: 'run.finished', outcome: 'done', detail: 'all' }).phase).toMatchObject({ outcome: 'done' });
  });

  it('keeps an answer whose agent was gone, until something else is asked or the step ends', () => {
    const permission = { tool: 'Bash', detail: 'make deploy' };
    const answered = [
      { ...ASKED, permission },
      { type: 'escalation.answered', escalationId: 'q-1', answer: 'yes' },
      { type: 'escalation.settled', escalationId: 'q-1', how: 'kept', isKept: true },
    ] as const;
    expect(fold(...answered).keptAnswer).toEqual({ permission, answer: 'yes' });
    expect(fold(...answered, { ...ASKED, escalationId: 'q-2' }).keptAnswer).toBeUndefined();
  });

  it('keeps an escalation until it is settled, with the answer once there is one', () => {
    expect(fold(ASKED).escalation).toMatchObject({ id: 'q-1', question: 'Which?' });
    const answered = { type: 'escalation.answered', escalationId: 'q-1', answer: 'This' } as const;
    expect(fold(ASKED, answered).escalation?.answer).toBe('This');
    expect(fold(ASKED, { ...answered, escalationId: 'q-0' }).escalation?.answer).toBeUndefined();
    expect(
      fold(ASKED, answered, { type: 'escalation.settled', escalationId: 'q-1', how: '' }).escalation,
    ).toBeUndefined();
  });

  it('keeps a question open until the agent has seen the answer, with its words', () => {
    const answered = { type: 'escalation.answered', escalationId: 'q-1', answer: 'This' } as const;
    const unseen = { type: 'escalation.unanswered', escalationId: 'q-1', isTyped: true, why: 'deaf' } as const;
    const { escalation } = fold(ASKED, answered, unseen);
    expect(escalation).toMatchObject({ id: 'q-1', unseen: { answer: 'This', isTyped: true, why: 'deaf' } });
    expect(escalation?.answer).toBeUndefined();
    const again = fold(ASKED, answered, unseen, { ...answered, answer: 'That' }).escalation;
    expect(again).toMatchObject({ answer: 'That' });
    expect(again?.unseen).toBeUndefined();
    expect(fold(ASKED, answered, { ...unseen, escalationId: 'q-0' }).escalation?.answer).toBe('This');
  });

  it('[H14] adds up the usage, and how far each conversation is counted', () => {
    const usage = { type: 'usage.counted', turns: 2, inputTokens: 100, cachedTokens: 40, outputTokens: 10 } as const;
    const facts = fold(
      { ...usage, conversationId: 'c', upTo: 'm2', activeMs: 60_000 },
      { ...usage, costUsd: 0.5, conversationId: 'd', upTo: 'm9' },
    );
    expect(facts.totals).toEqual({
      turns: 4,
      inputTokens: 200,
      cachedTokens: 80,
      outputTokens: 20,
      activeMs: 60_000,
      costUsd: 0.5,
    });
    expect(facts.counted).toEqual({ c: 'm2', d: 'm9' });
  });

  it('forgets that it was stuck, and the checks, when a step has ended since', () => {
    const stuck = { type: 'stuck.noticed', kind: 'no-progress', detail: 'nothing' } as const;
    const check = { type: 'check.ran', command: ['npm', 'test'], exitCode: 0, tail: '' } as const;
    expect(fold(stuck, check)).toMatchObject({ stuck: [{ kind: 'no-progress' }], checks: [{ exitCode: 0 }] });
    expect(fold(stuck, check, { type: 'step.completed' })).toMatchObject({ stuck: [], checks: [] });
  });
});

describe('a budget', () => {
  const spent = { ...NO_TOTALS, inputTokens: 90, outputTokens: 10, activeMs: 120_000, costUsd: 2 };
  it.each([
    ['tokens', { tokens: 100, day: {} }, 'tokens'],
    ['more tokens', { tokens: 101, day: {} }, undefined],
    ['money', { usd: 2, day: {} }, 'usd'],
    ['time', { minutes: 2, day: {} }, 'minutes'],
    ['the tokens of a day', { day: { tokens: 50 } }, 'day.tokens'],
    ['nothing', { day: {} }, undefined],
  ])('of %s', (_, budget, reached) => {
    expect(reachedBudget(budget, { run: spent, day: spent })?.budget).toBe(reached);
  });

  it('of money is not used up by work of unknown price', () => {
    const { costUsd: _, ...unknown } = spent;
    expect(reachedBudget({ usd: 0, day: {} }, { run: unknown, day: unknown })).toBeUndefined();
  });
});
