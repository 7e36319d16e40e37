import type { AgentEvent, ConversationEvent, ConversationFact } from '@devs/core';
import { describe, expect, it } from 'vitest';
import { NO_FACTS } from '../../record/terminal-facts.js';
import { type ObservedAgent, type OutsideEvent, observeAgent, unobserved } from '../observed-agent.js';
import { signalsOf } from '../signals-of.js';

const now = { at: 10, isPast: false } as const;
const conversationId = 'c1';
const fold = (...events: readonly (AgentEvent | OutsideEvent)[]): ObservedAgent =>
  events.reduce(observeAgent, unobserved(0));
const busy: AgentEvent = { type: 'signal.seen', source: 'hook', says: 'busy', detail: '', at: 11 };
const compaction: AgentEvent = { type: 'compaction.seen', conversationId, trigger: 'auto', ...now };

describe('what is seen of an agent', () => {
  it('forgets what it counted when the conversation is another one', () => {
    const usage: AgentEvent = {
      type: 'usage.measured',
      conversationId,
      usage: { usedTokens: 9, windowTokens: 10 },
      window: 'recorded',
      ...now,
    };
    const seen = fold(usage, compaction, { type: 'conversation.changed', conversationId: 'c2', before: 'c1', ...now });
    expect(seen).toMatchObject({ conversationId: 'c2', compactions: 0, compactedSinceLedger: false });
    expect(seen.usage).toBeUndefined();
  });

  it('owes the ledger after a compaction that it saw, until it is given', () => {
    expect(fold(compaction)).toMatchObject({ compactions: 1, compactedSinceLedger: true });
    expect(fold({ ...compaction, isPast: true })).toMatchObject({ compactions: 1, compactedSinceLedger: false });
    expect(fold(compaction, { type: 'ledger.given' }).compactedSinceLedger).toBe(false);
  });

  describe('of an error', () => {
    const ended: AgentEvent = { type: 'turn.ended', conversationId, error: 'it does not go', at: 12, isPast: false };

    it('takes the kind from the agent where it names one, and from its words where it does not', () => {
      const reported: AgentEvent = { type: 'error.reported', kind: 'model', detail: 'it does not go', ...now };
      expect(fold(reported, ended).failure).toMatchObject({ kind: 'model', detail: 'it does not go' });
      expect(fold(ended).failure).toMatchObject({ kind: 'other' });
      expect(fold({ ...ended, error: '401 Unauthorized' }).failure).toMatchObject({ kind: 'login' });
    });

    it('forgets the kind with its turn', () => {
      const reported: AgentEvent = { type: 'error.reported', kind: 'overload', detail: 'later', ...now };
      const { error: _, ...passed } = ended;
      expect(fold(reported, passed, ended).failure).toMatchObject({ kind: 'other' });
    });
  });

  describe('of its tools', () => {
    const grew = (...facts: readonly ConversationFact[]): AgentEvent => ({
      type: 'conversation.grew',
      conversationId,
      path: '/t.jsonl',
      events: facts.map((fact) => ({ ...fact, from: { line: 1, byteOffset: 0 } })),
      ...now,
    });
    const called = (callId: string): ConversationFact => ({
      type: 'tool.called',
      callId,
      tool: 'Bash',
      input: {},
      actions: [],
    });
    const answered = (callId: string): ConversationFact => ({
      type: 'tool.answered',
      callId,
      outcome: 'ok',
      text: '',
    });
    const isBetween = (...events: readonly AgentEvent[]) =>
      signalsOf({
        now: 20,
        seen: fold(...events),
        facts: NO_FACTS,
        isAttended: false,
        isAttached: false,
        hasWorkLeft: false,
        cacheMs: 1,
        specsChanged: false,
        remindsByTyping: false,
      }).isBetweenTools;

    it('knows a moment between two of them', () => {
      expect(isBetween(busy)).toBe(false);
      expect(isBetween(busy, grew(called('a')))).toBe(false);
      expect(isBetween(busy, grew(called('a'), called('b')), grew(answered('a')))).toBe(false);
      expect(isBetween(busy, grew(called('a'), called('b')), grew(answered('a'), answered('b')))).toBe(true);
    });

    it('forgets them with the turn', () => {
      const ended: AgentEvent = { type: 'turn.ended', conversationId, at: 12, isPast: false };
      expect(isBetween(busy, grew(called('a')), grew(answered('a')), ended)).toBe(false);
    });
  });

  describe('at a boundary', () => {
    const idle: AgentEvent = { ...busy, says: 'idle', at: 13 };
    const boundary: OutsideEvent = { type: 'boundary.reached', at: 12 };
    const callAt = (
      at: number,
      ...actions: Extract<ConversationFact, { type: 'tool.called' }>['actions']
    ): AgentEvent => {
      const from = { line: 1, byteOffset: 0, at: new Date(at).toISOString() };
      const events: readonly ConversationEvent[] = [
        { type: 'tool.called', callId: 'x', tool: 'Read', input: {}, actions, from },
      ];
      return { type: 'conversation.grew', conversationId, path: '/t.jsonl', events, ...now };
    };
    const read = { kind: 'read', path: 'a.ts' } as const;

    it('is there until it works again', () => {
      expect(fold(boundary).boundary).toMatchObject({ at: 12 });
      expect(fold(boundary, busy).boundary).toBeUndefined();
    });

    it('is still there when the turn ends in which it got there', () => {
      expect(
        fold(busy, boundary, { ...busy, detail: 'still' }, callAt(11, read), callAt(20), idle).boundary,
      ).toBeDefined();
      expect(fold(busy, boundary, idle, { ...busy, at: 14 }).boundary).toBeUndefined();
    });

    it('is past it when it continued with something else in the same turn', () => {
      expect(fold(busy, boundary, callAt(20, read), idle).boundary).toBeUndefined();
    });
  });

  it('has failed when a turn of this process got no answer, until it is asked again', () => {
    const failed = { type: 'turn.ended', error: 'no credit', at: 200, isPast: true } as const;
    const ask = (at: number): AgentEvent => ({
      type: 'conversation.grew',
      conversationId: 'c',
      path: '/t',
      events: [{ type: 'request.made', text: 'x', from: { line: 1, byteOffset: 0, at: new Date(at).toISOString() } }],
      at,
      isPast: false,
    });
    expect(fold(failed).failure).toEqual({ kind: 'other', detail: 'no credit', at: 200 });
    expect(fold(failed, ask(150)).failure).toBeDefined();
    expect(fold(failed, ask(300)).failure).toBeUndefined();
    expect(fold(failed, { type: 'turn.ended', at: 300, isPast: false }).failure).toBeUndefined();
    expect(fold(failed, { type: 'failure.settled' }).failure).toBeUndefined();
    expect(fold({ ...failed, at: -1 }).failure).toBeUndefined();
  });

  it('is cold when the model was not heard of for a while, and has work left when it died at work', () => {
    const known = {
      now: 1_000,
      seen: fold({ type: 'turn.ended', ...now }),
      facts: NO_FACTS,
      isAttended: false,
      isAttached: false,
      hasWorkLeft: false,
      cacheMs: 500,
      specsChanged: false,
      remindsByTyping: false,
    };
    expect(signalsOf(known).cacheIsCold).toBe(true);
    expect(signalsOf({ ...known, cacheMs: 2_000 }).cacheIsCold).toBe(false);
    const agent = { agentId: 'a', isCleared: false, alsoEnded: [], grants: [] };
    const died = (wasBusy: boolean) =>
      signalsOf({ ...known, facts: { ...NO_FACTS, agent: { ...agent, exit: { kind: 'crashed', wasBusy } } } }).exit;
    expect(died(true)).toEqual({ kind: 'crashed', hasWorkLeft: true });
    expect(died(false)).toEqual({ kind: 'crashed', hasWorkLeft: false });
    const parked = { ...NO_FACTS, parkedUntil: 9_000, agent: { ...agent, exit: { kind: 'crashed' as const } } };
    expect(signalsOf({ ...known, facts: parked }).exit).toEqual({ kind: 'crashed', hasWorkLeft: true });
  });
});
