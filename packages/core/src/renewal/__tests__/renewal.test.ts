import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maybeAutoHandoff } from '../maybe-auto-handoff.js';
import { maybeContextRefresh } from '../maybe-context-refresh.js';
import { pendingEffect, type RenewalEffect } from '../renewal-effect.js';
import type { BesideRenewal, RenewalEvent, RenewalStarted } from '../renewal-event.js';
import { contextRefreshState, NEVER_RENEWED, type RenewalState } from '../renewal-state.js';
import { foldRenewal, transitionRenewal } from '../transition-renewal.js';

const started: RenewalStarted = {
  type: 'renewal.started',
  cause: 'firm mark',
  oldAgentId: 'a1',
  newAgentId: 'a2',
  taskId: 'T1',
  ask: true,
  at: 1_000,
};
const received: RenewalEvent = { type: 'handoff.received', source: 'screen', text: 'Go on with the parser.' };
const verified: RenewalEvent = { type: 'document.verified', document: '# Handoff', added: [] };
const saved: RenewalEvent = { type: 'checkpoint.saved', ref: 'refs/devs/checkpoints/t/1', commit: 'abc' };
const ended: RenewalEvent = { type: 'agent.ended', forced: false };
const spawned: RenewalEvent = { type: 'agent.spawned', agentId: 'a2' };
const confirmed: RenewalEvent = { type: 'takeover.confirmed' };
const failedToSpawn: RenewalEvent = { type: 'spawn.failed', error: 'no such program' };
const SPAWNED = [started, received, verified, saved, ended, spawned];
const WHOLE = [...SPAWNED, confirmed];
const asked: RenewalStarted = { ...started, cause: 'asked for' };
const worked: BesideRenewal = { type: 'agent.worked', agentId: 'a2' };

describe('a renewal', () => {
  it('goes from asking over the checkpoint and the restart to the confirmed takeover', () => {
    const states = WHOLE.map((_, index) => contextRefreshState(foldRenewal(WHOLE.slice(0, index + 1))));
    expect(states).toEqual([
      'requesting-handoff',
      'committing',
      'committing',
      'restarting',
      'restarting',
      'confirming',
      null,
    ]);
    expect(foldRenewal(WHOLE)).toEqual({ phase: 'idle', completed: 1, inARow: 1, hasWorked: false });
  });

  it.each<readonly [string, readonly (RenewalEvent | BesideRenewal)[], Pick<RenewalState, 'inARow' | 'hasWorked'>]>([
    ['one renewal', WHOLE, { inARow: 1, hasWorked: false }],
    ['one renewal and a turn of work', [...WHOLE, worked], { inARow: 1, hasWorked: true }],
    ['a turn that ended before its takeover was seen', [...SPAWNED, worked, confirmed], { inARow: 1, hasWorked: true }],
    ['two renewals', [...WHOLE, worked, ...WHOLE], { inARow: 2, hasWorked: false }],
    [
      '[H10] a step that ended',
      [...WHOLE, worked, ...WHOLE, { type: 'progress.made' }],
      { inARow: 0, hasWorked: false },
    ],
    ['a renewal that a person asked for', [asked, ...WHOLE.slice(1)], { inARow: 0, hasWorked: false }],
    ['a person between two', [...WHOLE, asked, ...WHOLE.slice(1), worked, ...WHOLE], { inARow: 2, hasWorked: false }],
    ['a renewal that was called off', [started, { type: 'terminal.stopped' }], { inARow: 0, hasWorked: true }],
  ])('counts after %s', (_, events, expected) => {
    expect(foldRenewal(events)).toMatchObject(expected);
  });

  it.each(['timeout', 'exited', 'undelivered'] as const)(
    'continues without the words of an agent that %s',
    (reason) => {
      const state = foldRenewal([started, { type: 'handoff.missed', reason }]);
      expect(pendingEffect(state)).toEqual({ type: 'build-document', agentId: 'a1' });
    },
  );

  it('[H17] is abandoned as long as the old agent is there, counts as none, and not after', () => {
    const abandoned: RenewalEvent = { type: 'renewal.abandoned', reason: 'the user is here' };
    for (let done = 1; done <= 4; done++) {
      expect(foldRenewal([...WHOLE.slice(0, done), abandoned])).toEqual(NEVER_RENEWED);
    }
    for (let done = 5; done < WHOLE.length; done++) {
      const state = foldRenewal(WHOLE.slice(0, done));
      expect(transitionRenewal(state, abandoned)).toBe(state);
    }
  });

  it('is not begun a second time while it is under way', () => {
    for (let done = 1; done < WHOLE.length; done++) {
      const state = foldRenewal(WHOLE.slice(0, done));
      expect(transitionRenewal(state, { ...started, newAgentId: 'a3' })).toBe(state);
    }
  });

  it('[H10] tries a spawn twice, then releases the task once and keeps the document', () => {
    const before = [started, received, verified, saved, ended, failedToSpawn];
    expect(pendingEffect(foldRenewal(before))).toMatchObject({ type: 'spawn-agent', agentId: 'a2' });
    const given = foldRenewal([...before, failedToSpawn]);
    expect(pendingEffect(given)).toEqual({ type: 'release-task', taskId: 'T1' });
    const over = transitionRenewal(given, { type: 'task.released', taskId: 'T1' });
    expect(over).toMatchObject({ phase: 'failed', document: '# Handoff', error: 'no such program' });
    expect(pendingEffect(over)).toBeUndefined();
    expect(contextRefreshState(over)).toBeNull();
  });

  it('can be started again after a failure', () => {
    const failed = foldRenewal([
      { ...started, ask: false },
      verified,
      saved,
      ended,
      failedToSpawn,
      failedToSpawn,
      { type: 'task.released', taskId: 'T1' },
    ]);
    expect(pendingEffect(transitionRenewal(failed, { ...started, ask: false }))?.type).toBe('build-document');
  });

  it('[H7] carries a task or releases it, never both, for any order of events', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 40 }), (events) => {
        const { performed } = perform(events);
        const carried = performed.filter(({ type }) => type === 'takeover');
        const released = performed.filter(({ type }) => type === 'release-task');
        for (const { renewal } of carried) expect(released.map((effect) => effect.renewal)).not.toContain(renewal);
        expect(new Set(released.map(({ renewal }) => renewal)).size).toBe(released.length);
      }),
    );
  });

  it('reaches its end from any phase, by performing what the state promises', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 30 }), fc.boolean(), (events, spawns) => {
        let state = foldRenewal(events);
        for (let step = 0; step < 12 && pendingEffect(state) !== undefined; step++) {
          state = transitionRenewal(state, outcomeOf(pendingEffect(state) as RenewalEffect, spawns));
        }
        expect(['idle', 'failed']).toContain(state.phase);
      }),
    );
  });

  it('promises the same effect after every event that changes nothing', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 30 }), (events) => {
        const state = foldRenewal(events);
        const last = events.at(-1);
        if (last === undefined || last.type === 'spawn.failed' || last.type === 'renewal.started') return;
        expect(pendingEffect(transitionRenewal(state, last))).toEqual(pendingEffect(state));
      }),
    );
  });
});

describe('the guards of a renewal', () => {
  const idle = { renewal: NEVER_RENEWED, autoHandoff: true, isShuttingDown: false };

  it('let it begin on a warning', () => {
    expect(maybeContextRefresh(idle)).toEqual({ refresh: true, refreshCount: 1 });
  });

  it.each([
    ['switched off', { ...idle, autoHandoff: false }],
    ['under way', { ...idle, renewal: foldRenewal([started]) }],
    ['too many in a row', { ...idle, renewal: { ...NEVER_RENEWED, inARow: 10 } as RenewalState }],
    ['too many in a row', { ...idle, renewal: { ...NEVER_RENEWED, inARow: 3 } as RenewalState, most: 3 }],
    ['no work since the last one', { ...idle, renewal: foldRenewal(WHOLE) }],
    ['shutting down', { ...idle, isShuttingDown: true }],
  ] as const)('refuse it: %s', (reason, question) => {
    expect(maybeContextRefresh(question)).toEqual({ refresh: false, reason });
  });

  it('let it begin for a person who asks, however many there were', () => {
    const often = { ...NEVER_RENEWED, inARow: 99, hasWorked: false };
    const verdict = maybeContextRefresh({ ...idle, renewal: often, autoHandoff: false, isAskedFor: true });
    expect(verdict).toEqual({ refresh: true, refreshCount: 1 });
  });

  it('start an agent fresh that exited cleanly with work left, and no other', () => {
    expect(maybeAutoHandoff({ ...idle, exitCode: 0, hasWorkLeft: true })).toEqual({ refresh: true, refreshCount: 1 });
    expect(maybeAutoHandoff({ ...idle, exitCode: 1, hasWorkLeft: true })).toMatchObject({ refresh: false });
    expect(maybeAutoHandoff({ ...idle, exitCode: 0, hasWorkLeft: false })).toMatchObject({ refresh: false });
  });
});

const anyEvent: fc.Arbitrary<RenewalEvent> = fc.oneof(
  fc.record({ ask: fc.boolean(), hasTask: fc.boolean() }).map(({ ask, hasTask }): RenewalEvent => {
    const { taskId, ...rest } = started;
    return { ...rest, ask, ...(hasTask && taskId !== undefined && { taskId }) };
  }),
  fc.constantFrom(...WHOLE.slice(1), failedToSpawn),
  fc.constant<RenewalEvent>({ type: 'handoff.missed', reason: 'timeout' }),
  fc.constant<RenewalEvent>({ type: 'checkpoint.skipped', reason: 'no repository' }),
  fc.constant<RenewalEvent>({ type: 'takeover.missed', reason: 'silent' }),
  fc.constant<RenewalEvent>({ type: 'task.released', taskId: 'T1' }),
  fc.constant<RenewalEvent>({ type: 'progress.made' }),
  fc.constant<RenewalEvent>({ type: 'renewal.abandoned', reason: 'the user is here' }),
);

/** Actions of a supervisor along the way, by renewal. */
function perform(events: readonly RenewalEvent[]) {
  const performed: { readonly type: RenewalEffect['type'] | 'takeover'; readonly renewal: number }[] = [];
  let renewal = 0;
  let state = NEVER_RENEWED;
  for (const event of events) {
    const next = transitionRenewal(state, event);
    if (next === state) continue;
    if (event.type === 'renewal.started') renewal += 1;
    if (state.phase === 'confirming' && next.phase === 'idle') performed.push({ type: 'takeover', renewal });
    const effect = pendingEffect(next);
    if (effect?.type === 'release-task' && state.phase !== 'releasing') performed.push({ type: effect.type, renewal });
    state = next;
  }
  return { performed };
}

function outcomeOf(effect: RenewalEffect, spawns: boolean): RenewalEvent {
  switch (effect.type) {
    case 'ask-for-handoff':
      return { type: 'handoff.missed', reason: 'timeout' };
    case 'build-document':
      return verified;
    case 'save-checkpoint':
      return { type: 'checkpoint.skipped', reason: 'no repository' };
    case 'end-agent':
      return ended;
    case 'spawn-agent':
      return spawns ? { type: 'agent.spawned', agentId: effect.agentId } : failedToSpawn;
    case 'confirm-takeover':
      return confirmed;
    case 'release-task':
      return { type: 'task.released', taskId: effect.taskId };
  }
}
