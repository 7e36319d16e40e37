import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decide } from '../decide.js';
import { DEFAULT_POLICY } from '../policy.js';
import { NO_HISTORY } from '../terminal-history.js';
import type { TerminalSignals } from '../terminal-signals.js';

const quiet: TerminalSignals = { now: 1_000, state: 'idle', attended: false, atBoundary: false, compactions: 0 };
const used = (usedTokens: number, windowTokens = 200_000) => ({ usage: { usedTokens, windowTokens } });
const SOFT = used(101_000);
const FIRM = used(131_000);

describe('the decision about a terminal', () => {
  it.each([
    ['nothing below the marks', { ...quiet, ...used(99_000) }, 'nothing'],
    ['nothing at the soft mark in the middle of a task', { ...quiet, ...SOFT }, 'nothing'],
    ['a renewal at the soft mark when a task has ended', { ...quiet, ...SOFT, atBoundary: true }, 'renew'],
    ['a renewal at the soft mark when the cache is cold', { ...quiet, ...SOFT, cacheIsCold: true }, 'renew'],
    ['a renewal at the firm mark as soon as it is idle', { ...quiet, ...FIRM }, 'renew'],
    ['nothing at the firm mark while it is busy', { ...quiet, ...FIRM, state: 'busy' as const }, 'nothing'],
    ['nothing at the firm mark while it waits', { ...quiet, ...FIRM, state: 'waiting' as const }, 'nothing'],
    ['a renewal at 250k of a million tokens', { ...quiet, ...used(250_000, 1_000_000), atBoundary: true }, 'renew'],
    ['a renewal at 350k of a million tokens', { ...quiet, ...used(350_000, 1_000_000) }, 'renew'],
    ['a renewal after a second compaction', { ...quiet, ...used(1), compactions: 2, atBoundary: true }, 'renew'],
    ['the ledger after the first', { ...quiet, ...used(1), compactions: 1, compactedSinceLedger: true }, 'give-ledger'],
    [
      'what the step asks for, before anything else',
      { ...quiet, ...FIRM, contextAction: 'compact' as const },
      'compact',
    ],
    [
      'nothing at the firm mark when its conversation is over',
      { ...quiet, ...FIRM, compactedSinceLedger: true, isConversationOver: true },
      'nothing',
    ],
    ['nothing where the window is not known', { ...quiet, ...used(900_000, 0) }, 'nothing'],
  ])('is %s', (_, signals, expected) => {
    expect(decide(signals).do).toBe(expected);
  });

  describe('of a turn that does not end', () => {
    const bound = DEFAULT_POLICY.interruptMs;
    const overdue: TerminalSignals = {
      ...quiet,
      ...FIRM,
      state: 'busy',
      now: 1_000 + bound,
      fullSince: 1_000,
      isBetweenTools: true,
    };

    it('is an interrupt after ten minutes above the firm mark, between two tools', () => {
      expect(decide(overdue)).toEqual({ do: 'interrupt', why: 'it has worked for 10 min above the firm mark' });
    });

    it.each([
      ['before that', { ...overdue, now: overdue.now - 1 }],
      ['while a tool runs', { ...overdue, isBetweenTools: false }],
      ['below the mark', { ...overdue, fullSince: undefined }],
      ['while its user is there', { ...overdue, attended: true }],
      ['where its work is at an end', { ...overdue, isConversationOver: true }],
      ['where its context is about to be cleared', { ...overdue, contextAction: 'clear' as const }],
    ])('is none %s', (_, { fullSince, ...signals }) => {
      const decision = decide({ ...signals, ...(fullSince === undefined ? {} : { fullSince }) });
      expect(decision.do).not.toBe('interrupt');
    });

    it('is none where a renewal would not be done', () => {
      expect(decide(overdue, { ...DEFAULT_POLICY, renewal: false }).do).toBe('nothing');
      const history = { ...NO_HISTORY, renewals: { inARow: 1, hasWorked: false } };
      expect(decide(overdue, DEFAULT_POLICY, history).do).toBe('nothing');
    });
  });

  it('is a reminder after 20 turns, and at once when the specs changed', () => {
    const after = (turnsSinceLast: number, specsChanged = false) =>
      decide({ ...quiet, reminder: { turnsSinceLast, specsChanged } });
    expect(after(19).do).toBe('nothing');
    expect(after(20)).toEqual({ do: 're-inject', reason: 'turns' });
    expect(after(1, true)).toEqual({ do: 're-inject', reason: 'specs-changed' });
  });

  it.each([
    [10, 0, true, { do: 'renew', reason: 'firm mark' }],
    [10, 1, false, { do: 'leave-to-agent', why: 'it has not worked since its last renewal' }],
    [10, 1, true, { do: 'renew', reason: 'firm mark' }],
    [10, 9, true, { do: 'renew', reason: 'firm mark' }],
    [10, 10, true, { do: 'leave-to-agent', why: 'renewed 10 times in a row without finishing a step or task' }],
    [1, 1, true, { do: 'leave-to-agent', why: 'renewed once without finishing a step or task' }],
    [2, 1, true, { do: 'renew', reason: 'firm mark' }],
    [50, 49, true, { do: 'renew', reason: 'firm mark' }],
    [0, 0, true, { do: 'leave-to-agent', why: 'renewal.most is 0' }],
  ] as const)(
    '[H15] at most %i renewals, %i in a row, worked since: %s',
    (mostRenewals, inARow, hasWorked, expected) => {
      const history = { ...NO_HISTORY, renewals: { inARow, hasWorked } };
      expect(decide({ ...quiet, ...FIRM }, { ...DEFAULT_POLICY, mostRenewals }, history)).toEqual(expected);
    },
  );

  it('[H19] is a resume for an agent that crashed with room left, with longer pauses, and then a question to the user', () => {
    const crashed = {
      ...quiet,
      ...used(20_000),
      state: 'exited' as const,
      exit: { kind: 'crashed' as const, hasWorkLeft: true },
    };
    const after = (resumesInARow: number) => decide(crashed, DEFAULT_POLICY, { ...NO_HISTORY, resumesInARow });
    expect([0, 1, 2].map(after)).toEqual([2_000, 4_000, 8_000].map((afterMs) => ({ do: 'resume', afterMs })));
    expect(after(5).do).toBe('escalate');
  });

  it('[H12] is no resume of a conversation that is full: it is renewed', () => {
    const full = { ...quiet, ...SOFT, state: 'exited' as const, exit: { kind: 'crashed' as const, hasWorkLeft: true } };
    expect(decide(full)).toEqual({ do: 'renew', reason: 'crash above the soft mark' });
    expect(decide({ ...full, isConversationOver: true }).do).toBe('resume'); // it is about to be cleared
  });

  it('is a fresh start after a clean exit with work left, unless that is switched off', () => {
    const ended = { ...quiet, state: 'exited' as const, exit: { kind: 'clean' as const, hasWorkLeft: true } };
    expect(decide(ended)).toEqual({ do: 'renew', reason: 'clean exit' });
    expect(decide(ended, { ...DEFAULT_POLICY, autoHandoff: false }).do).toBe('nothing');
    expect(decide({ ...ended, exit: { kind: 'clean', hasWorkLeft: false } }).do).toBe('nothing');
  });

  it('is to wait as long as the provider says, or twice as long each time, and then to ask', () => {
    const limited = (until?: number) => ({
      ...quiet,
      limit: { kind: 'usage-limit' as const, ...(until !== undefined && { until }) },
    });
    expect(decide(limited(9_000))).toEqual({ do: 'park', until: 9_000 });
    const after = (parksInARow: number) => decide(limited(), DEFAULT_POLICY, { ...NO_HISTORY, parksInARow });
    expect([0, 1].map(after)).toEqual([61_000, 121_000].map((until) => ({ do: 'park', until })));
    expect(after(6).do).toBe('escalate');
  });

  it('[H17] only notifies while the user is there', () => {
    const harmless = new Set(['nothing', 'tell']);
    fc.assert(
      fc.property(anySignals, anyHistory, (signals, history) => {
        expect(harmless).toContain(decide({ ...signals, attended: true }, DEFAULT_POLICY, history).do);
      }),
    );
  });

  it('is nothing at all when it only measures', () => {
    fc.assert(
      fc.property(anySignals, anyHistory, (signals, history) => {
        expect(decide(signals, { ...DEFAULT_POLICY, observeOnly: true }, history).do).toBe('nothing');
      }),
    );
  });

  it('[H13] is never typed into a terminal that is busy, starting or waiting', () => {
    const typing = new Set(['renew', 'compact', 'clear', 'give-ledger', 're-inject']);
    const occupied = fc.constantFrom('busy' as const, 'starting' as const, 'waiting' as const);
    fc.assert(
      fc.property(anySignals, occupied, anyHistory, ({ exit: _, ...signals }, state, history) => {
        expect(typing).not.toContain(decide({ ...signals, state }, DEFAULT_POLICY, history).do);
      }),
    );
  });

  it('notifies the user of each mark once', () => {
    const attended = { ...quiet, ...FIRM, attended: true };
    expect(decide(attended)).toEqual({ do: 'tell', mark: 'firm' });
    expect(decide(attended, DEFAULT_POLICY, { ...NO_HISTORY, toldOf: 'soft' })).toEqual({ do: 'tell', mark: 'firm' });
    expect(decide(attended, DEFAULT_POLICY, { ...NO_HISTORY, toldOf: 'firm' }).do).toBe('nothing');
  });
});

const anySignals: fc.Arbitrary<TerminalSignals> = fc.record(
  {
    now: fc.nat(),
    state: fc.constantFrom('starting', 'busy', 'idle', 'waiting', 'exited'),
    attended: fc.boolean(),
    usage: fc.record({ usedTokens: fc.nat(1_200_000), windowTokens: fc.nat(1_000_000) }),
    atBoundary: fc.boolean(),
    cacheIsCold: fc.boolean(),
    compactions: fc.nat(3),
    compactedSinceLedger: fc.boolean(),
    contextAction: fc.constantFrom('compact', 'clear'),
    isConversationOver: fc.boolean(),
    reminder: fc.record({ turnsSinceLast: fc.nat(40), specsChanged: fc.boolean() }),
    exit: fc.record({ kind: fc.constantFrom('clean', 'crashed'), hasWorkLeft: fc.boolean() }),
    limit: fc.record({ kind: fc.constantFrom('usage-limit', 'network') }),
  },
  { requiredKeys: ['now', 'state', 'attended', 'atBoundary', 'compactions'] },
);

const anyHistory = fc.record({
  renewals: fc.record({ inARow: fc.nat(11), hasWorked: fc.boolean() }),
  resumesInARow: fc.nat(6),
  toldOf: fc.constantFrom('low' as const, 'soft' as const, 'firm' as const),
  parksInARow: fc.nat(7),
});
