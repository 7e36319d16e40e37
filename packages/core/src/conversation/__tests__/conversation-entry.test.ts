import { expect, it } from 'vitest';
import { conversationEntry } from '../conversation-entry.js';
import type { ConversationEvent, ConversationFact } from '../conversation-event.js';

const event = (fact: ConversationFact): ConversationEvent => ({
  ...fact,
  from: { line: 1, byteOffset: 0, at: '2026-01-01T00:00:00Z' },
});

it('shows a call with what it changes', () => {
  const entry = conversationEntry(
    event({
      type: 'tool.called',
      callId: 'c',
      tool: 'Edit',
      input: {},
      actions: [{ kind: 'change', path: 'a.js', how: 'edited', before: 'old\n', after: 'new\nnewer\n' }],
    }),
  );

  expect(entry).toEqual({
    at: '2026-01-01T00:00:00Z',
    kind: 'call',
    callId: 'c',
    tool: 'Edit',
    title: 'edited a.js',
    changes: [{ path: 'a.js', removed: ['old'], added: ['new', 'newer'] }],
  });
});

it('shows the input of a call that it knows nothing about', () => {
  const called = event({ type: 'tool.called', callId: 'c', tool: 'mcp__x', input: { a: 1 }, actions: [] });

  expect(conversationEntry(called)).toMatchObject({ title: '{"a":1}', changes: [] });
});

it('shortens a long result, and says by how much', () => {
  const answered = event({
    type: 'tool.answered',
    callId: 'c',
    text: 'x'.repeat(7_000),
    outcome: 'failed',
    exitCode: 1,
  });
  const entry = conversationEntry(answered);

  expect(entry).toMatchObject({ kind: 'result', outcome: 'failed', exitCode: 1 });
  expect(JSON.stringify(entry)).toContain('1,000 more characters');
});

it('leaves secrets out', () => {
  const entry = conversationEntry(
    event({ type: 'request.made', text: `use password=hunter2hunter2 AKIA${'Q'.repeat(16)}` }),
  );

  expect(JSON.stringify(entry)).not.toContain('hunter2hunter2');
});

it('has no entry for an event without words', () => {
  expect(conversationEntry(event({ type: 'conversation.described', model: 'm' }))).toBeUndefined();
  expect(conversationEntry(event({ type: 'note.written', text: ' \n' }))).toBeUndefined();
});
