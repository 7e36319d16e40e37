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
