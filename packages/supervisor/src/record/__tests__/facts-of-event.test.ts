import type { AgentEvent } from '@devs/core';
import { expect, it } from 'vitest';
import { factOfEvent, usageOfTurn } from '../facts-of-event.js';
import { NO_FACTS, type TerminalFacts } from '../terminal-facts.js';

const measured = (usedTokens: number, windowTokens = 1_000): AgentEvent =>
  ({ type: 'usage.measured', conversationId: 'c', usage: { usedTokens, windowTokens }, at: 1 }) as AgentEvent;

const after = (usedTokens: number | undefined): TerminalFacts => ({
  ...NO_FACTS,
  agent: { agentId: 'a' } as NonNullable<TerminalFacts['agent']>,
  ...(usedTokens === undefined ? {} : { usage: { usedTokens, windowTokens: 1_000 } }),
});

const told = { agentId: 'a', isWorkAwaited: false };

it.each([
  [undefined, 5, true],
  [100, 119, false],
  [100, 120, true],
  [500, 100, true],
])('keeps a sample of the context after %s of 1,000 tokens at %i: %s', (before, now, isKept) => {
  const fact = factOfEvent(after(before), measured(now), told);

  expect(fact).toEqual(isKept ? { type: 'usage.observed', usedTokens: now, windowTokens: 1_000 } : undefined);
});

it('keeps none where the window is not known', () => {
  expect(factOfEvent(after(undefined), measured(5, 0), told)).toBeUndefined();
});

const turnEnded = (isPast: boolean): AgentEvent => ({ type: 'turn.ended', at: 1, isPast }) as AgentEvent;
const usage = { usedTokens: 101, windowTokens: 1_000 };

it('keeps one sample for each turn, however little the turn added', () => {
  const sample = { type: 'usage.observed', usedTokens: 101, windowTokens: 1_000, endsTurn: true };
  expect(usageOfTurn(after(100), turnEnded(false), { agentId: 'a', usage })).toEqual(sample);
});

it.each([
  ['a turn of the past', turnEnded(true), { agentId: 'a', usage }],
  ['a turn of another agent', turnEnded(false), { agentId: 'b', usage }],
  ['a turn without a measure', turnEnded(false), { agentId: 'a', usage: undefined }],
  ['what is not the end of a turn', measured(101), { agentId: 'a', usage }],
])('keeps no sample for %s', (_, event, told) => {
  expect(usageOfTurn(after(100), event, told)).toBeUndefined();
});
