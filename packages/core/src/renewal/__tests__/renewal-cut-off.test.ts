import { describe, expect, it } from 'vitest';
import { pendingEffect } from '../renewal-effect.js';
import type { BesideRenewal, RenewalEvent } from '../renewal-event.js';
import { NEVER_RENEWED } from '../renewal-state.js';
import { foldRenewal, transitionRenewal } from '../transition-renewal.js';

const WHOLE: readonly RenewalEvent[] = [
  {
    type: 'renewal.started',
    cause: 'firm mark',
    oldAgentId: 'a1',
    newAgentId: 'a2',
    taskId: 'T1',
    ask: true,
    at: 1_000,
  },
  { type: 'handoff.missed', reason: 'timeout' },
  { type: 'document.verified', document: '# Handoff', added: [] },
  { type: 'checkpoint.skipped', reason: 'no repository' },
  { type: 'agent.ended', forced: false },
  { type: 'spawn.failed', error: 'no such program' },
];
const ENDINGS: readonly BesideRenewal[] = [
  { type: 'terminal.stopped' },
  { type: 'restart.started', agentId: 'of the user' },
];

describe('a renewal under which the terminal was stopped, or another agent was started', () => {
  it.each(ENDINGS)('is over in any phase, with nothing left to end or to start: $type', (ending) => {
    for (let done = 1; done <= WHOLE.length; done++) {
      const state = foldRenewal([...WHOLE.slice(0, done), ending]);
      expect(state).toEqual(NEVER_RENEWED);
      expect(pendingEffect(state)).toBeUndefined();
      for (const late of WHOLE.slice(1)) expect(transitionRenewal(state, late)).toBe(state);
    }
  });

  it('counts where the new agent ran already, and is no other than it was where it is over', () => {
    const spawned: RenewalEvent = { type: 'agent.spawned', agentId: 'a2' };
    expect(foldRenewal([...WHOLE.slice(0, 5), spawned, { type: 'terminal.stopped' }])).toMatchObject({
      phase: 'idle',
      completed: 1,
    });
    const failed = foldRenewal([
      ...WHOLE,
      { type: 'spawn.failed', error: '' },
      { type: 'task.released', taskId: 'T1' },
    ]);
    expect(failed.phase).toBe('failed');
    expect(transitionRenewal(failed, { type: 'terminal.stopped' })).toBe(failed);
  });
});
