import { describe, expect, it } from 'vitest';
import type { StoredEvent } from '../../ports/event-log.js';
import { describeRewinding, rewindingOf } from '../../run/rewinding-of.js';
import { foldRun } from '../../run/run-facts.js';
import { createRunFold } from '../workflow-run.js';

const template = {
  name: 'three',
  description: 'For tests',
  steps: ['one', 'two', 'three'].map((id) => ({ id, type: 'action', instructions: id })),
};

/** The stream of a run, in order; a minute apart. */
const stream = (...events: readonly (readonly [string, object])[]): readonly StoredEvent[] =>
  events.map(([type, data], index) => ({
    stream: 'run:r',
    type,
    data: data as StoredEvent['data'],
    at: index * 60_000,
    version: index + 1,
    position: index + 1,
  }));

const BEGIN = [
  ['workflow.started', { template, source: { path: 'three.yaml', digest: '0' } }],
  ['run.prepared', { request: 'x', workflow: 'three', agent: 'a', place: 'own', folder: '/p' }],
  ['run.held', { by: 'ann', machine: 'ant', fence: 1, clone: 'c1' }],
  ['run.begun', { by: 'ann', terminal: 'r', clone: 'c1', machine: 'ant' }],
] as const;

const ended = (output: string) => ['step.completed', { output }] as const;
const pushed = (upTo: number, fence = 1) => ['work.pushed', { commit: 'a'.repeat(40), upTo, fence }] as const;
const TAKEN = ['run.held', { by: 'bob', machine: 'bee', fence: 2, clone: 'c2' }] as const;
const rewound = (to: number) => ['run.rewound', { to, commit: 'a'.repeat(40) }] as const;

describe('a run that goes back to what was pushed', () => {
  it('is at the step that follows the pushed ones, under a new number, without the outputs of the lost ones', () => {
    const events = stream(...BEGIN, ended('first'), pushed(5), ended('second'), TAKEN, rewound(5));
    const run = createRunFold().add(events);
    expect(run?.state).toMatchObject({ step: 'two', status: 'running', outputs: { one: 'first' } });
    expect(run?.state.visit).toBe(4);
    expect(run?.heldIn).toBe('c2');
  });

  it('is at its beginning where nothing was pushed', () => {
    const run = createRunFold().add(stream(...BEGIN, ended('first'), ended('second'), TAKEN, rewound(2)));
    expect(run?.state).toMatchObject({ step: 'one', outputs: {} });
  });

  it('goes back to the same place when the next machine is lost too', () => {
    const third = ['run.held', { by: 'cat', machine: 'cow', fence: 3, clone: 'c3' }] as const;
    const events = [
      ...BEGIN,
      ended('first'),
      pushed(5),
      ended('2'),
      TAKEN,
      rewound(5),
      ended('2 again'),
      third,
      rewound(5),
    ];
    expect(createRunFold().add(stream(...events))?.state).toMatchObject({ step: 'two', outputs: { one: 'first' } });
  });

  it('does not believe a lost machine that comes back and says that it pushed', () => {
    const events = stream(...BEGIN, ended('first'), pushed(5), ended('second'), TAKEN, pushed(7, 1), rewound(5));
    expect(foldRun('r', events).pushed).toMatchObject({ upTo: 5 });
    expect(createRunFold().add(events)?.state).toMatchObject({ step: 'two' });
  });

  it('is described for people: where, by whom, and how much is done again', () => {
    const events = stream(...BEGIN, ended('first'), pushed(5), ended('second'), TAKEN);
    const facts = foldRun('r', events);
    const rewinding = rewindingOf({ events, facts, machine: 'bee', commit: 'a'.repeat(40) });
    expect(rewinding).toMatchObject({ to: 5, at: 'step 2', machine: 'bee', lost: 'ant' });
    expect(rewinding && describeRewinding(rewinding)).toBe(
      'continued at step 2 on bee after ant was lost; 1 minute of work done again',
    );
  });

  it('does not go back where all of it was pushed before it was paused', () => {
    const events = stream(...BEGIN, ended('first'), ['run.paused', { why: 'asked' }], pushed(5), TAKEN);
    expect(rewindingOf({ events, facts: foldRun('r', events), machine: 'bee', commit: 'c' })).toBeUndefined();
  });
});
