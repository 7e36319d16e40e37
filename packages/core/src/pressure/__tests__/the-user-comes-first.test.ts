import { describe, expect, it } from 'vitest';
import { decide } from '../decide.js';
import { DEFAULT_POLICY } from '../policy.js';
import { NO_HISTORY } from '../terminal-history.js';
import type { TerminalSignals } from '../terminal-signals.js';

const quiet: TerminalSignals = { now: 1_000, state: 'idle', attended: false, atBoundary: false, compactions: 0 };
const FULL = { usage: { usedTokens: 190_000, windowTokens: 200_000 } };
const crashed: TerminalSignals = { ...quiet, state: 'exited', exit: { kind: 'crashed', hasWorkLeft: true } };

describe('a user who has a wish', () => {
  const history = { ...NO_HISTORY, wentBack: true };

  it.each([
    ['the firm mark', { ...quiet, ...FULL }],
    ['a second compaction', { ...quiet, compactions: 2, atBoundary: true }],
    ['a clean exit', { ...crashed, exit: { kind: 'clean' as const, hasWorkLeft: true } }],
  ])('keeps the conversation they returned to, at %s', (_, signals) => {
    expect(decide(signals).do).toBe('renew');
    expect(decide(signals, DEFAULT_POLICY, history).do).toBe('leave-to-agent');
  });

  it('has it resumed, not renewed, when it crashes with a full context', () => {
    expect(decide({ ...crashed, ...FULL }, DEFAULT_POLICY, history).do).toBe('resume');
  });

  it('is given time after a recent action, and not while merely watching', () => {
    const attended = { ...crashed, attended: true };
    expect(decide({ ...attended, hasLeft: true }).do).toBe('wait');
    expect(decide({ ...attended, hasLeft: false }).do).toBe('nothing');
    expect(decide({ ...attended, hasLeft: true, exit: { kind: 'clean', hasWorkLeft: false } }).do).toBe('nothing');
  });

  it('is asked when a turn ended with a permanent error, unless they are there', () => {
    const failed = { ...quiet, failure: { kind: 'other' as const, detail: 'it says no' } };
    expect(decide(failed)).toEqual({
      do: 'escalate',
      why: 'its turn ended with an error: it says no',
    });
    expect(decide({ ...failed, attended: true }).do).toBe('nothing');
    expect(decide({ ...failed, state: 'busy' }).do).toBe('nothing');
  });
});
