import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ConversationFact } from '../../conversation/conversation-event.js';
import { rounds, seed } from '../../testing/rounds.js';
import { createPassageReader, cutIntoPieces } from '../passage.js';

const read = (...facts: readonly ConversationFact[]) => {
  const reader = createPassageReader();
  return facts.flatMap((fact, index) => reader({ ...fact, from: { line: index + 1, at: '2026-11-01T10:00:00Z' } }));
};

const called = (callId: string, input: Record<string, string>, command?: string): ConversationFact => ({
  type: 'tool.called',
  callId,
  tool: 'Bash',
  input,
  actions: command === undefined ? [] : [{ kind: 'command', command }],
});

describe('the passages of a conversation', () => {
  it('hold messages, actions and their results', () => {
    const passages = read(
      { type: 'request.made', text: 'Fix the totals' },
      called('1', { command: 'npm test', description: 'Run the tests' }, 'npm test'),
      { type: 'tool.answered', callId: '1', text: '2 passed', outcome: 'ok' },
      { type: 'note.written', text: 'Done.' },
    );
    expect(passages).toMatchObject([
      { kind: 'request', text: 'Fix the totals', line: 1, at: '2026-11-01T10:00:00Z' },
      { kind: 'command', text: 'npm test\nRun the tests', about: 'npm test', line: 2 },
      { kind: 'output', text: '2 passed', about: 'npm test', line: 3 },
      { kind: 'reply', text: 'Done.', line: 4 },
    ]);
  });

  it('leave out text added by the agent program', () => {
    expect(read({ type: 'input.noted', kind: 'meta', text: 'Caveat: …' })).toEqual([]);
  });

  it('hold no secret', () => {
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    const passages = read(
      { type: 'request.made', text: `use ${secret}` },
      called(
        '1',
        { command: `curl -H "Authorization: Bearer ${secret}"` },
        `curl -H "Authorization: Bearer ${secret}"`,
      ),
      { type: 'tool.answered', callId: '1', text: `token: ${secret}`, outcome: 'ok' },
    );
    expect(passages).toHaveLength(3);
    expect(JSON.stringify(passages)).not.toContain(secret);
  });

  it('remember the calls that are open, however many never get an answer', () => {
    const calls = Array.from({ length: 100 }, (_, index) => called(`c${index}`, { x: 'y' }, `command ${index}`));
    const passages = read(...calls, { type: 'tool.answered', callId: 'c99', text: 'late', outcome: 'ok' });
    expect(passages.at(-1)).toMatchObject({ text: 'late', about: 'command 99' });
  });
});

describe('a long text', () => {
  it('is cut at the ends of lines', () => {
    const lines = Array.from({ length: 900 }, (_, index) => `line ${index} of a long output`);
    const pieces = cutIntoPieces(lines.join('\n'));
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.join('\n')).toBe(lines.join('\n'));
  });

  it('keeps every short word whole in some piece', () => {
    const word = fc.stringMatching(/^[a-z]{1,40}$/);
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 60 }), fc.constantFrom(' ', '\n'), (words, between) => {
        const text = Array.from({ length: 40 }, () => words.join(between)).join(between);
        const pieces = cutIntoPieces(text);
        for (const each of words) expect(pieces.some((piece) => piece.includes(each))).toBe(true);
      }),
      { numRuns: rounds(30), seed: seed() },
    );
  });
});
