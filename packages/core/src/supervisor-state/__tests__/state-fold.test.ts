import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StoredEvent } from '../../ports/event-log.js';
import { rounds, seed } from '../../testing/rounds.js';
import { reduceSupervisorState } from '../reduce-supervisor-state.js';
import { createStateFold } from '../state-fold.js';
import { emptySupervisorState, type SupervisorState } from '../supervisor-state.js';

const TYPES = ['claimed', 'completed', 'failed', 'blocked', 'unblocked', 'released', 'expired', 'retried', 'removed'];
const text = fc.option(fc.constantFrom('one', 'two'), { nil: undefined });
const happening = fc.oneof(
  fc.record({
    stream: fc.nat(70).map((number) => `task:t${number}`),
    type: fc.constantFrom(...TYPES, 'dreamt').map((type) => `task.${type}`),
    data: fc
      .record({ intent: text, by: text, reason: text, result: text, was: fc.constantFrom('done', 'failed', 'blocked') })
      .map((data): StoredEvent['data'] => JSON.parse(JSON.stringify(data))),
  }),
  fc.constantFrom(
    { stream: 'run:x', type: 'run.started', data: {} },
    { stream: 'project:this', type: 'project.described', data: { name: 'shop' } },
  ),
);
const histories = fc
  .array(happening, { maxLength: 400, size: 'max' })
  .map((happenings) =>
    happenings.map((event, index): StoredEvent => ({ ...event, position: index + 1, version: 1, at: index * 1_000 })),
  );

function foldTogether(start: SupervisorState, events: readonly StoredEvent[]): SupervisorState {
  const fold = createStateFold(start);
  for (const event of events) fold.take(event);
  return fold.state();
}

describe('many events folded together', () => {
  it('give the same state as one by one, from any start', () => {
    fc.assert(
      fc.property(histories, fc.nat(400), (events, cut) => {
        const start = events.slice(0, cut).reduce(reduceSupervisorState, emptySupervisorState());
        const rest = events.slice(cut);
        expect(foldTogether(start, rest)).toEqual(rest.reduce(reduceSupervisorState, start));
      }),
      { seed: seed(), numRuns: rounds(100) },
    );
  });

  it('leave the state that they began with as it was', () => {
    const blocked = { position: 1, version: 1, at: 0, stream: 'task:a', type: 'task.blocked', data: { reason: 'x' } };
    const start = reduceSupervisorState(emptySupervisorState(), blocked);
    const before = structuredClone(start);
    foldTogether(start, [{ ...blocked, position: 2, type: 'task.completed', data: {} }]);
    expect(start).toEqual(before);
  });

  it('share with it the lists that do not change', () => {
    const start = emptySupervisorState();
    const event = { position: 1, version: 1, at: 0, stream: 'task:a', type: 'task.added', data: {} };
    expect(reduceSupervisorState(start, event).blocked_tasks).toBe(start.blocked_tasks);
  });
});
