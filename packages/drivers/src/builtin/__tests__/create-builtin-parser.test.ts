import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BuiltinFact } from '../builtin-record.js';
import { createBuiltinParser } from '../create-builtin-parser.js';
import { answered, line, opened, used } from './builtin-lines.js';

const read = (...facts: BuiltinFact[]) => {
  const parser = createBuiltinParser();
  let byteOffset = 0;
  const events = facts.flatMap((fact, index) => {
    const text = line(fact);
    const found = parser.parseLine(text, { line: index + 1, byteOffset });
    byteOffset += text.length + 1;
    return found;
  });
  return { events, tally: parser.tally() };
};

describe('a transcript of the built-in agent', () => {
  it('yields requests, thoughts, messages and actions', () => {
    const { events, tally } = read(
      opened,
      { type: 'request', id: 'r', text: 'Write a.ts' },
      used(900),
      answered('write_file', {}, 'I write it.'),
      { type: 'call', id: 'k1', tool: 'write_file', input: { path: 'a.ts', content: 'x' } },
      { type: 'answer', id: 'k1', tool: 'write_file', status: 'ok', output: 'wrote a.ts' },
      answered('end_turn', { message: 'Done.' }),
    );

    expect(events).toMatchObject([
      { type: 'conversation.described', conversationId: 'c-1', folder: '/shop', model: 'scripted' },
      { type: 'request.made', text: 'Write a.ts' },
      { type: 'usage.reported', inputTokens: 900, outputTokens: 5 },
      { type: 'thought.written', text: 'I write it.' },
      {
        type: 'tool.called',
        callId: 'k1',
        actions: [{ kind: 'change', path: '/shop/a.ts', how: 'written', after: 'x' }],
      },
      { type: 'tool.answered', callId: 'k1', outcome: 'ok', text: 'wrote a.ts' },
      { type: 'note.written', text: 'Done.' },
    ]);
    expect(tally).toMatchObject({ lines: 7, damagedLines: 0, unknownTypes: {} });
  });

  it.each([
    ['read_file', { path: 'a.ts', from: 2, to: 3 }, { kind: 'read', path: '/shop/a.ts', lines: { first: 2, last: 3 } }],
    [
      'edit_file',
      { path: 'a.ts', old: 'x', new: 'y' },
      { kind: 'change', path: '/shop/a.ts', how: 'edited', before: 'x', after: 'y' },
    ],
    ['search_files', { pattern: 'x' }, { kind: 'search', pattern: 'x' }],
    ['run_command', { command: ['npm', 'test', 'a b'] }, { kind: 'command', command: 'npm test "a b"' }],
  ])('yields the actions of %s', (tool, input, action) => {
    expect(read(opened, { type: 'call', id: 'k', tool, input }).events.at(-1)).toMatchObject({ actions: [action] });
  });

  it.each([
    ['denied', 'refused'],
    ['error', 'failed'],
    ['TIMEOUT_EXCEEDED', 'failed'],
  ] as const)('maps a call that ended as %s to %s', (status, outcome) => {
    const fact: BuiltinFact = {
      type: 'answer',
      id: 'k',
      tool: 't',
      status,
      output: { a: 1 },
      errorDetail: 'why',
      exitCode: 1,
    };
    expect(read(fact).events).toMatchObject([{ outcome, text: 'why\n{"a":1}', exitCode: 1 }]);
  });

  it('yields a compaction with its summary, and the end of a conversation', () => {
    const { events } = read(
      { type: 'compaction', trigger: 'auto', summary: 'So far.', tokensBefore: 80_000, tokensAfter: 900 },
      { type: 'clear', next: 'c-2' },
    );
    expect(events).toMatchObject([
      { type: 'context.compacted', trigger: 'auto', tokensBefore: 80_000 },
      { type: 'summary.written', text: 'So far.' },
      { type: 'context.cleared' },
    ]);
  });

  it('continues from its memory as if it had never stopped', () => {
    const first = createBuiltinParser();
    first.parseLine(line(opened), { line: 1, byteOffset: 0 });
    const second = createBuiltinParser(JSON.parse(JSON.stringify(first.memory())));
    const call = line({ type: 'call', id: 'k', tool: 'read_file', input: { path: 'a.ts' } });
    expect(second.parseLine(call, { line: 2, byteOffset: 9 })).toEqual(
      first.parseLine(call, { line: 2, byteOffset: 9 }),
    );
    expect(second.tally()).toEqual(first.tally());
  });

  it('never throws, for any content', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.jsonValue().map((value) => JSON.stringify({ at: value, type: 'call', input: value, envelope: value })),
        ),
        (text) => {
          const parser = createBuiltinParser();
          for (const type of ['answer', 'usage', 'envelope', 'conversation', 'compaction']) {
            parser.parseLine(text.replace('"call"', `"${type}"`), { line: 1, byteOffset: 0 });
          }
        },
      ),
    );
  });
});
