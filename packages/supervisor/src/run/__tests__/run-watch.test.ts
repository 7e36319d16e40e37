import type { AgentEvent, ConversationEvent } from '@devs/core';
import { describe, expect, it } from 'vitest';
import { createRunWatch } from '../run-watch.js';

const MINUTE = 60_000;
const FROM = { line: 1 } as unknown as ConversationEvent['from'];
const CALL = { type: 'tool.called', callId: 'c1', tool: 'Bash', input: {}, actions: [], from: FROM };
const ANSWER = { type: 'tool.answered', callId: 'c1', outcome: 'ok', text: 'done', from: FROM };
const grew = (event: object): AgentEvent =>
  ({ type: 'conversation.grew', conversationId: 'c', events: [event], isPast: false, at: 0 }) as unknown as AgentEvent;

describe('how long nothing has come of the work', () => {
  it('is counted a third while a command runs, which tests and builds may for long', () => {
    const watch = createRunWatch({ counted: {}, keepsRecords: true, longestLookMs: MINUTE, now: 0 });
    watch.pass(MINUTE, 'work');
    expect(watch.quietMs).toBe(MINUTE);
    watch.hear(grew(CALL), 'a');
    watch.pass(2 * MINUTE, 'work');
    expect(watch.quietMs).toBe(MINUTE + MINUTE / 3);
    watch.hear(grew(ANSWER), 'a');
    watch.pass(3 * MINUTE, 'work');
    expect(watch.quietMs).toBe(2 * MINUTE + MINUTE / 3);
  });

  it('is counted in full again when the turn of the command is over, answered or not', () => {
    const watch = createRunWatch({ counted: {}, keepsRecords: true, longestLookMs: MINUTE, now: 0 });
    watch.hear(grew(CALL), 'a');
    watch.hear({ type: 'turn.ended', isPast: false, at: 0 } as unknown as AgentEvent, 'a');
    watch.pass(MINUTE, 'work');
    expect(watch.quietMs).toBe(MINUTE);
  });
});

describe('what the agents of a run cost', () => {
  const cost = (totalUsd: number): AgentEvent => ({ type: 'cost.stated', totalUsd, isPast: false, at: 0 });
  const call = (messageId: string, costUsd?: number) =>
    grew({ type: 'usage.reported', messageId, inputTokens: 10, outputTokens: 1, costUsd, from: FROM });
  const open = (more: object = {}) =>
    createRunWatch({ counted: {}, keepsRecords: true, longestLookMs: MINUTE, now: 0, ...more });

  it('is what each process states last, and not what a price would say', () => {
    const watch = open({ costOf: () => 100 });
    watch.hear(call('m1'), 'a');
    watch.hear(cost(0.5), 'a');
    watch.hear(cost(0.75), 'a');
    watch.hear(cost(0.25), 'b');
    expect(watch.uncounted).toMatchObject({ turns: 1, costUsd: 1 });
    expect(watch.takeUsage()).toEqual([
      expect.objectContaining({ type: 'usage.counted', turns: 1, costUsd: 1, processes: { a: 0.75, b: 0.25 } }),
    ]);
    expect([watch.uncounted.costUsd, watch.takeUsage()]).toEqual([0, []]);
  });

  it('is counted once, though the next supervisor hears all of it again', () => {
    const watch = open({ countedUsd: { a: 0.75 } });
    watch.hear({ ...cost(0.75), isPast: true } as AgentEvent, 'a');
    watch.hear(cost(1), 'a');
    expect(watch.uncounted.costUsd).toBe(0.25);
  });

  it('is the sum of what the calls state', () => {
    const watch = open();
    watch.hear(call('m1', 0.5), 'a');
    watch.hear(call('m2', 0.25), 'a');
    expect(watch.uncounted).toMatchObject({ turns: 2, costUsd: 0.75 });
  });

  it('is not known without a price or a word of the agent', () => {
    const watch = open();
    watch.hear(call('m1'), 'a');
    expect(watch.uncounted.costUsd).toBeUndefined();
  });
});
