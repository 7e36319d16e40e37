import { rounds, seed } from '@devs/core/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createGeminiParser } from '../create-gemini-parser.js';
import { call, head, history, kinds, model, read, SET_UP, typed, user } from './gemini-lines.js';

const HOOK = '<hook_context>Remember the specs.</hook_context>';

describe('reading a transcript of Gemini CLI', () => {
  it('says where the conversation takes place, and with which model', () => {
    expect(read(head(), history(user('u0', SET_UP)), model('m1', 'Hello.')).facts).toEqual([
      { type: 'conversation.described', conversationId: 'chat-1' },
      { type: 'input.noted', kind: 'meta', text: SET_UP },
      { type: 'conversation.described', folder: '/project' },
      { type: 'conversation.described', model: 'gemini-2.5-pro' },
      { type: 'note.written', text: 'Hello.' },
      { type: 'usage.reported', messageId: 'm1', inputTokens: 9_000, outputTokens: 30, cachedTokens: 100 },
    ]);
  });

  it('distinguishes a request from the text of hooks before, in and after it', () => {
    const { facts } = read(user('u1', HOOK), typed('u2', `${HOOK}\n\nFix the parser.`, HOOK));
    expect(kinds(facts)).toEqual(['hook', 'hook', 'request.made', 'hook']);
    expect(facts[2]).toEqual({ type: 'request.made', text: 'Fix the parser.' });
  });

  it('does not take the contents of a file that the user named for the user’s words', () => {
    const { facts } = read(typed('u1', 'Explain @a.ts', '\n--- Content from referenced files ---', 'const a = 1;'));
    expect(kinds(facts)).toEqual(['request.made', 'meta', 'meta']);
  });

  it("knows the user's shell commands, and cancelled requests", () => {
    const shell =
      'I ran the following shell command:\n```sh\nls\n```\n\nThis produced the following result:\n```\na\n```';
    const cancelled = { id: 'i1', type: 'info', content: 'Request cancelled.' };
    expect(kinds(read(user('u1', shell), cancelled).facts)).toEqual(['shell', 'interruption']);
  });

  it('reports an answer once, though it is written again when its tools are done', () => {
    const done = model('m1', 'Looking.', { toolCalls: [call('read_file', { file_path: 'a.ts' }, { output: 'one' })] });
    expect(read(model('m1', 'Looking.'), done, done).facts.map((fact) => fact.type)).toEqual([
      'conversation.described',
      'note.written',
      'usage.reported',
      'tool.called',
      'tool.answered',
    ]);
  });

  it('repeats nothing when a resumed conversation rewrites its history', () => {
    const said = [user('u0', SET_UP), typed('u1', 'Go.', HOOK)];
    const toolCalls = [call('glob', { pattern: '*' })];
    const answer = model('m1', 'Looking.', { toolCalls });
    const before = read(head(), ...said, answer).facts;
    const restated = model('m1', [{ text: '**Thought**', thought: true }, { text: 'Looking.' }], {
      toolCalls,
    });
    const anew = history(...said, restated, user('m1_response'));
    expect(read(head(), ...said, answer, anew, user('u9', SET_UP, 'Go.', HOOK)).facts).toEqual(before);
  });

  it('reports a history that appears nowhere else', () => {
    expect(kinds(read(history(user('u1', 'Go.'), model('m1', [{ text: 'Gone.' }]))).facts)).toEqual([
      'request.made',
      'conversation.described',
      'note.written',
      'usage.reported',
    ]);
  });

  it('reads a compression once, with its summary', () => {
    const compressed = history(
      user('u0', SET_UP),
      user('u8', '<state_snapshot>\nAll is well.\n</state_snapshot>'),
      model('m8', [{ text: 'Got it. Thanks for the additional context!' }], { tokens: undefined }),
      user('u9', 'Go.', HOOK),
    );
    expect(read(typed('u1', 'Go.', HOOK), user('u0', SET_UP), compressed, compressed).facts.slice(4)).toEqual([
      { type: 'context.compacted', trigger: 'unknown' },
      { type: 'summary.written', text: 'All is well.' },
      { type: 'conversation.described', model: 'gemini-2.5-pro' },
    ]);
  });

  it('marks actions of a sub-agent', () => {
    const { events } = read(head({ kind: 'subagent', directories: ['/project'] }), user('u1', 'Look around.'));
    expect(events.map((event) => event.from.subAgent)).toEqual(['chat-1', 'chat-1']);
  });

  it('counts unknown and damaged records', () => {
    expect(read({ type: 'hologram' }, { novel: 1 }, { $rewindTo: 'u1' }, '{"ty').tally).toEqual({
      lines: 4,
      damagedLines: 1,
      unknownTypes: { hologram: 1, novel: 1 },
    });
  });

  it('never throws, for any value in any place', () => {
    const message = fc.record({
      type: fc.constantFrom('user', 'gemini', 'info'),
      content: fc.jsonValue(),
      displayContent: fc.jsonValue(),
      thoughts: fc.jsonValue(),
      tokens: fc.jsonValue(),
      toolCalls: fc.oneof(
        fc.jsonValue(),
        fc.array(fc.record({ name: fc.constantFrom('replace', 'x'), args: fc.jsonValue() })),
      ),
    });
    const record = fc.oneof(fc.jsonValue(), message, fc.record({ $set: fc.record({ messages: fc.array(message) }) }));
    const parser = createGeminiParser();
    fc.assert(
      fc.property(record, (content) => {
        parser.parseLine(JSON.stringify(content), { line: 1, byteOffset: 0 });
      }),
      { numRuns: rounds(300), seed: seed() },
    );
  });
});
