import { type AgentEvent, GO_ON_PROMPT } from '@devs/core';
import { describe, expect, it } from 'vitest';
import type { Supervision } from '../../supervision.js';
import { confirmTakeover } from '../confirm-takeover.js';

const CONFIRM_MS = 60_000;

/** A renewed agent whose first turn ends after some time, by a clock that goes a second further with each look. */
function slowAgent(firstTurnMs: number, activity: 'starting' | 'idle') {
  let now = 0;
  const written: string[] = [];
  const clock = { now: () => (now += 1_000) };
  const turn: AgentEvent = { type: 'turn.ended', conversationId: 'c', at: firstTurnMs, isPast: false };
  const agent = {
    agentId: 'new',
    seen: { state: { activity } },
    hosted: {},
    since: () => (now >= firstTurnMs ? [turn] : []),
    view: () => ({ lines: ['> '], columns: 80, rows: 24, title: '' }),
    typed: [],
    noteTyped: (text: string) => written.push(text),
    mark: () => 0,
    look: async () => {},
    write: async () => 'exited',
  };
  const supervision = {
    clock,
    agentProcess: { agent },
    record: { facts: { typed: [] }, append: async () => {} },
    driver: { input: { prompt: /^> / } },
    source: {},
    typing: { promptTimeoutMs: 5, echoTimeoutMs: 5, deliveryTimeoutMs: 5, retries: 0 },
    timing: { confirmMs: CONFIRM_MS },
    patience: { clock, pollMs: 0, signal: new AbortController().signal },
    isAttended: () => false,
  };
  return { written, supervision: supervision as unknown as Supervision };
}

describe('a renewed agent that carries its first prompt', () => {
  const prompt = { text: GO_ON_PROMPT, isGiven: true };

  it('[R3] is not typed the same prompt again while it may still take it', async () => {
    const { supervision, written } = slowAgent(0.8 * CONFIRM_MS, 'idle');
    expect(await confirmTakeover(supervision, 'new', prompt)).toEqual({ type: 'takeover.confirmed' });
    expect(written).toEqual([]);
  });

  it('[R3] is typed nothing before it has started', async () => {
    const { supervision, written } = slowAgent(10 * CONFIRM_MS, 'starting');
    expect(await confirmTakeover(supervision, 'new', prompt)).toMatchObject({ type: 'takeover.missed' });
    expect(written).toEqual([]);
  });

  it('is told by hand where it stands idle and never took it', async () => {
    const { supervision, written } = slowAgent(1.5 * CONFIRM_MS, 'idle');
    expect(await confirmTakeover(supervision, 'new', prompt)).toEqual({ type: 'takeover.confirmed' });
    expect(written).toEqual([GO_ON_PROMPT]);
  });
});
