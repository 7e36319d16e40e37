import type { Terminal } from '@devs/api';
import { describe, expect, it } from 'vitest';
import { inboxItems, needsUser } from '../inbox.js';
import { createProjectFold } from '../project-fold.js';
import { runCards } from '../run-cards.js';
import { append, endSteps, everything, openTestStore, storeRun, tellRun } from './stored-run.js';

async function stateOf(opened: ReturnType<typeof openTestStore>) {
  const fold = createProjectFold('/shop');
  const events = await everything(opened);
  fold.add(events, events.length);
  return fold.state;
}

const NOTHING_LIVE = { runs: new Map(), terminals: [], isPast: false };

describe('the cards', () => {
  it('have what needs the user first, and say where each run is', async () => {
    const opened = openTestStore();
    await storeRun(opened, 'works');
    await endSteps(opened, 'works', ['planned']);
    await storeRun(opened, 'asks');
    await tellRun(opened, 'asks', {
      type: 'escalation.raised',
      escalationId: 'q',
      question: 'Euro?',
      diagnosis: 'No.',
    });
    await storeRun(opened, 'over');
    await tellRun(opened, 'over', { type: 'run.finished', outcome: 'done', detail: 'complete' });
    const cards = runCards([await stateOf(opened)], { ...NOTHING_LIVE, isPast: true });

    expect(cards.map(({ id, state, step }) => ({ id, state, step }))).toEqual([
      { id: 'asks', state: 'needs you', step: 'plan (step 1 of 3)' },
      { id: 'works', state: 'running', step: 'improve (1 of 2)' },
      { id: 'over', state: 'done', step: 'plan (step 1 of 3)' },
    ]);
  });

  it('say that a run is unsupervised', async () => {
    const opened = openTestStore();
    await storeRun(opened, 'works');
    const [card] = runCards([await stateOf(opened)], NOTHING_LIVE);

    expect(card?.state).toBe('interrupted');
  });

  it('say that the agent of a run has ended, while the run is still called running', async () => {
    const opened = openTestStore();
    await storeRun(opened, 'works');
    await tellRun(opened, 'works', { type: 'run.begun', by: 'ann@box', terminal: 'works' });
    const gone = { name: 'works', run: 'works', activity: 'exited', detail: 'exit code 1' } as unknown as Terminal;
    const [card] = runCards([await stateOf(opened)], { ...NOTHING_LIVE, terminals: [gone] });

    expect(card?.agentGone).toBe('exit code 1');
  });

  it('show how full the context was at the end of each turn', async () => {
    const opened = openTestStore();
    await storeRun(opened, 'works');
    for (const usedTokens of [10, 20])
      await append(opened, 'terminal:works', { type: 'usage.observed', data: { usedTokens, windowTokens: 100 } });
    const [card] = runCards([await stateOf(opened)], NOTHING_LIVE);

    expect(card?.usage?.usedTokens).toBe(20);
    expect(card?.samples.map(({ usedTokens }) => usedTokens)).toEqual([10, 20]);
  });
});

describe('the inbox', () => {
  it('has each question with what was recorded since the last step', async () => {
    const opened = openTestStore();
    await storeRun(opened, 'asks');
    await tellRun(opened, 'asks', { type: 'stuck.noticed', kind: 'same-error', detail: 'long ago' });
    await endSteps(opened, 'asks', ['planned']);
    await tellRun(
      opened,
      'asks',
      { type: 'stuck.noticed', kind: 'same-action', detail: 'npm test, three times' },
      { type: 'check.ran', command: ['npm', 'test'], exitCode: 1, tail: 'not ok' },
      { type: 'escalation.raised', escalationId: 'q', question: 'Euro?', diagnosis: 'It is stuck.' },
    );
    const items = inboxItems([await stateOf(opened)], []);

    expect(items).toMatchObject([
      {
        kind: 'question',
        id: 'q',
        question: 'Euro?',
        evidence: {
          stuck: [{ kind: 'same-action', detail: 'npm test, three times' }],
          failedChecks: [{ command: 'npm test', tail: 'not ok' }],
        },
      },
    ]);
  });

  it('needs the user no longer while an answer is on its way', async () => {
    const opened = openTestStore();
    await storeRun(opened, 'asks');
    await tellRun(
      opened,
      'asks',
      { type: 'escalation.raised', escalationId: 'q', question: 'Euro?', diagnosis: '' },
      { type: 'escalation.answered', escalationId: 'q', answer: 'Euro.' },
    );
    const items = inboxItems([await stateOf(opened)], []);

    expect(items).toHaveLength(1);
    expect(needsUser(items)).toEqual([]);
  });

  it('has terminals that wait, unless their run has asked already', async () => {
    const needs = { kind: 'waiting', detail: 'May I run npm test?' } as const;
    const terminal = { name: 'own', agent: 'claude', folder: '/', needs } as unknown as Terminal;

    expect(inboxItems([], [terminal])).toMatchObject([{ kind: 'terminal', terminal: 'own', need: 'waiting' }]);
  });
});
