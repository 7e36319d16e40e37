import { readRuns } from '@devs/core';
import { createRandom, rounds, seed } from '@devs/core/testing';
import { describe, expect, it } from 'vitest';
import { createProjectFold } from '../project-fold.js';
import { append, endSteps, everything, openTestStore, storeRun, tellRun } from './stored-run.js';

async function storeHistory() {
  const opened = openTestStore();
  await storeRun(opened, 'a');
  await append(opened, 'terminal:a', { type: 'usage.observed', data: { usedTokens: 10, windowTokens: 100 } });
  await opened.store.tasks.add([
    { id: 't1', intent: 'One' },
    { id: 't2', intent: 'Two', depends_on: ['t1'] },
  ]);
  await endSteps(opened, 'a', ['planned']);
  await storeRun(opened, 'b', 'Add a bank');
  await opened.store.tasks.complete({ id: 't1', result: 'done' });
  await tellRun(opened, 'b', { type: 'escalation.raised', escalationId: 'q', question: 'Euro?', diagnosis: '' });
  await endSteps(opened, 'a', ['better', 'best', 'reviewed']);
  return opened;
}

describe('the fold of a project', () => {
  it('knows the runs and tasks that the store knows', async () => {
    const opened = await storeHistory();
    const fold = createProjectFold('/shop');
    const events = await everything(opened);
    fold.add(events, events.length);

    expect([...fold.state.runs.values()].map(({ facts }) => facts)).toEqual(await readRuns(opened));
    const { tasks } = await opened.store.tasks.list({ limit: 10 });
    expect(
      [...fold.state.tasks.values()].map(({ id, status, open_dependencies }) => ({ id, status, open_dependencies })),
    ).toEqual(tasks.map(({ id, status, open_dependencies }) => ({ id, status, open_dependencies })));
    expect(fold.state.runs.get('a')?.workflow?.state.status).toBe('complete');
    expect(fold.state.position).toBe(events.length);
  });

  it('is the same however the events come: in parts, and told twice', async () => {
    const events = await everything(await storeHistory());
    const whole = createProjectFold('/shop');
    whole.add(events, events.length);
    const random = createRandom(seed());

    for (let round = 0; round < rounds(50); round++) {
      const parts = createProjectFold('/shop');
      for (let next = 0; next < events.length; ) {
        const from = Math.max(0, next - random.below(4));
        next = Math.min(events.length, next + 1 + random.below(5));
        parts.add(events.slice(from, next), next);
      }
      expect(parts.state).toEqual(whole.state);
    }
  });

  it('stands at any position as it did then', async () => {
    const events = await everything(await storeHistory());
    const fold = createProjectFold('/shop');
    const then: unknown[] = [];
    for (const event of events) {
      fold.add([event], event.position);
      then.push(structuredClone(fold.state));
    }

    for (const [index, { position }] of events.entries()) expect(fold.stateAt(position)).toEqual(then[index]);
  });

  it('keeps what has not changed as the same value', async () => {
    const opened = await storeHistory();
    const events = await everything(opened);
    const fold = createProjectFold('/shop');
    fold.add(events, events.length);
    const before = fold.state;
    await tellRun(opened, 'b', { type: 'run.paused', why: 'so' });
    fold.add((await everything(opened)).slice(events.length), events.length + 1);

    expect(fold.state.runs.get('a')).toBe(before.runs.get('a'));
    expect(fold.state.runs.get('b')).not.toBe(before.runs.get('b'));
  });

  it('shows a run with a foreign workflow', () => {
    const fold = createProjectFold('/shop');
    const started = { position: 1, stream: 'run:x', version: 1, at: 1, type: 'step.completed', data: { output: '' } };
    const wrong = { ...started, position: 2, version: 2, type: 'workflow.started', data: { template: { steps: [] } } };
    fold.add([started, wrong], 2);

    expect(fold.state.runs.get('x')?.events).toHaveLength(2);
  });
});
