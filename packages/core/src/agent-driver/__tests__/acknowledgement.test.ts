import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../ports/agent-driver.js';
import { isAcknowledged } from '../is-acknowledged.js';
import { showsPrompt } from '../shows-prompt.js';

const seen = { at: 1, isPast: false };
const compacted: AgentEvent = { type: 'compaction.seen', conversationId: 'a', trigger: 'manual', ...seen };
const changed: AgentEvent = { type: 'conversation.changed', conversationId: 'b', before: 'a', ...seen };
const exited: AgentEvent = { type: 'terminal.exited', exitCode: 0, at: 1 };
const idle: AgentEvent = { type: 'signal.seen', source: 'screen', says: 'idle', detail: '', at: 1 };

describe('an acknowledgement', () => {
  it.each([
    { command: 'compact', event: compacted },
    { command: 'clear', event: changed },
    { command: 'exit', event: exited },
  ] as const)('of $command is one event and no other', ({ command, event }) => {
    expect([compacted, changed, exited, idle].filter((one) => isAcknowledged(command, one))).toEqual([event]);
  });

  it('is neither an earlier record nor the first conversation of a process', () => {
    expect(isAcknowledged('compact', { ...compacted, isPast: true })).toBe(false);
    expect(isAcknowledged('clear', { type: 'conversation.changed', conversationId: 'a', ...seen })).toBe(false);
  });

  it('[H17] of a prompt is its text in the transcript, of the agent itself', () => {
    const from = { line: 1 };

    expect(showsPrompt([{ type: 'request.made', text: 'do\tthis \nnow', from }], 'do this\nnow')).toBe(true);
    expect(showsPrompt([{ type: 'request.made', text: 'do this', from: { line: 1, subAgent: 'x' } }], 'do this')).toBe(
      false,
    );
    expect(showsPrompt([{ type: 'input.noted', kind: 'meta', text: 'do this', from }], 'do this')).toBe(false);
    expect(showsPrompt([{ type: 'request.made', text: 'do this and that', from }], 'do this')).toBe(false);
  });
});
