import { rounds, seed } from '@devs/core/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createOpencodeParser } from '../create-opencode-parser.js';
import { ASSISTANT, completed, finished, read, record, text, tool, USER } from './opencode-records.js';

describe('reading a conversation of opencode', () => {
  it('says where it takes place, and later only what changed', () => {
    const session = { id: 'ses_1', directory: '/project', version: '1.18.33' };
    const { events } = read(
      { session },
      record(ASSISTANT),
      record(ASSISTANT),
      record({ ...ASSISTANT, modelID: 'large' }),
    );
    expect(events.map(({ from: _, ...fact }) => fact)).toEqual([
      { type: 'conversation.described', conversationId: 'ses_1', folder: '/project', agentVersion: '1.18.33' },
      { type: 'conversation.described', model: 'small' },
      { type: 'conversation.described', model: 'large' },
    ]);
  });

  it("distinguishes a request from the program's additions", () => {
    expect(read(record(USER, text('Fix it.')), record(USER, text('const a = 1;', { synthetic: true }))).facts).toEqual([
      { type: 'request.made', text: 'Fix it.' },
      { type: 'input.noted', kind: 'meta', text: 'const a = 1;' },
    ]);
  });

  it('reports a part once, when it is finished', () => {
    const half = record(ASSISTANT, text('Look', { time: { start: 2_500 } }));
    const whole = { ...half, part: finished('Looking.') };
    expect(read(half, whole, whole, record(ASSISTANT, finished('Hm.', 'reasoning'))).facts).toEqual([
      { type: 'note.written', text: 'Looking.' },
      { type: 'thought.written', text: 'Hm.' },
    ]);
  });

  it('reads the usage of each call, with what came from the cache', () => {
    const tokens = { total: 50_035, input: 49_000, output: 25, reasoning: 10, cache: { write: 900, read: 100 } };
    const step = { ...record(ASSISTANT, { type: 'step-finish', tokens }), id: 'prt_step' };
    expect(read(step, step).facts).toEqual([
      { type: 'usage.reported', messageId: 'prt_step', inputTokens: 50_000, outputTokens: 35, cachedTokens: 100 },
    ]);
  });

  it('reads a compaction and its summary', () => {
    const { facts } = read(
      record(USER, { type: 'compaction', auto: true }),
      record({ ...ASSISTANT, summary: true, mode: 'compaction' }, finished('All is well.')),
    );
    expect(facts).toEqual([
      { type: 'context.compacted', trigger: 'auto' },
      { type: 'summary.written', text: 'All is well.' },
    ]);
  });

  it('knows that the user stopped the agent', () => {
    const stopped = record({ ...ASSISTANT, error: { name: 'MessageAbortedError', data: {} } });
    expect(read(stopped, stopped).facts).toEqual([{ type: 'input.noted', kind: 'interruption', text: 'interrupted' }]);
  });

  it('marks actions of a sub-agent, and ignores its folder', () => {
    const elsewhere = { ...ASSISTANT, path: { cwd: '/elsewhere' } };
    const { events } = read(record(elsewhere, finished('Hi.'), { subAgent: 'ses_2' }));
    expect(events).toEqual([
      {
        type: 'note.written',
        text: 'Hi.',
        from: { line: 1, at: '1970-01-01T00:00:02.500Z', id: expect.any(String), subAgent: 'ses_2' },
      },
    ]);
  });

  it('counts unknown and damaged records', () => {
    expect(read(record(ASSISTANT, { type: 'hologram' }), { novel: 1 }, '{"id":').tally).toEqual({
      lines: 3,
      damagedLines: 1,
      unknownTypes: { hologram: 1, novel: 1 },
    });
  });

  it('never throws, for any value in any place', () => {
    const part = fc.record({
      type: fc.constantFrom('text', 'tool', 'step-finish', 'reasoning'),
      text: fc.jsonValue(),
      state: fc.oneof(
        fc.jsonValue(),
        fc.record({ status: fc.constantFrom('completed', 'error'), input: fc.jsonValue() }),
      ),
      tool: fc.constantFrom('edit', 'read', 'todowrite'),
      time: fc.jsonValue(),
      tokens: fc.jsonValue(),
    });
    const parser = createOpencodeParser();
    fc.assert(
      fc.property(
        fc.oneof(fc.jsonValue(), fc.record({ id: fc.string(), message: fc.jsonValue(), part })),
        (content) => {
          parser.parseLine(JSON.stringify(content), { line: 1, byteOffset: 0 });
        },
      ),
      { numRuns: rounds(300), seed: seed() },
    );
  });
});

describe('tools in a conversation of opencode', () => {
  const actionsOf = (name: string, input: object) => {
    const [fact] = read(record(ASSISTANT, tool(name, completed(input)))).facts;
    return fact?.type === 'tool.called' ? fact.actions : undefined;
  };

  it.each([
    ['bash', { command: 'ls', description: 'Lists' }, { kind: 'command', command: 'ls', purpose: 'Lists' }],
    ['read', { filePath: 'a.ts' }, { kind: 'read', path: '/project/a.ts' }],
    ['read', { filePath: '/b.ts', offset: 3, limit: 7 }, { kind: 'read', path: '/b.ts', lines: { first: 3, last: 9 } }],
    [
      'write',
      { filePath: 'a.ts', content: 'x' },
      { kind: 'change', path: '/project/a.ts', how: 'written', after: 'x' },
    ],
    [
      'edit',
      { filePath: 'a.ts', oldString: 'x', newString: 'y' },
      { kind: 'change', path: '/project/a.ts', how: 'edited', before: 'x', after: 'y' },
    ],
    ['grep', { pattern: 'x', include: '*.ts' }, { kind: 'search', pattern: 'x', glob: '*.ts' }],
    ['webfetch', { url: 'https://example.com' }, { kind: 'fetch', url: 'https://example.com' }],
    [
      'task',
      { description: 'Look', prompt: 'Look around.' },
      { kind: 'delegation', title: 'Look', prompt: 'Look around.' },
    ],
  ])('knows what %s does', (name, input, action) => {
    expect(actionsOf(name, input)).toEqual([action]);
    expect(actionsOf(name, {})).toEqual([]);
  });

  it('reports a call when it starts and its result when it arrives', () => {
    const input = { command: 'npm test' };
    const pending = record(ASSISTANT, tool('bash', { status: 'pending', input: {} }));
    const running = { ...pending, part: tool('bash', { status: 'running', input }) };
    const done = { ...pending, part: tool('bash', completed(input, 'no\n', { exit: 3 })) };
    expect(read(pending, running, running, done, done).facts).toEqual([
      {
        type: 'tool.called',
        callId: 'call-1',
        tool: 'bash',
        input,
        actions: [{ kind: 'command', command: 'npm test' }],
      },
      { type: 'tool.answered', callId: 'call-1', text: 'no\n', outcome: 'failed', exitCode: 3 },
    ]);
  });

  it.each([
    ['Could not find oldString in the file.', 'failed'],
    ['The user rejected permission to use this specific tool call.', 'refused'],
  ])('reads the error %j', (error, outcome) => {
    const { facts } = read(record(ASSISTANT, tool('edit', { status: 'error', input: {}, error })));
    expect(facts[1]).toEqual({ type: 'tool.answered', callId: 'call-1', text: error, outcome });
  });

  it('reads to-dos as the whole list of tasks', () => {
    const todos = [
      { content: 'Fix it', status: 'in_progress', priority: 'high' },
      { content: 'Drop it', status: 'cancelled', priority: 'low' },
    ];
    expect(read(record(ASSISTANT, tool('todowrite', completed({ todos })))).facts[1]).toEqual({
      type: 'tasks.replaced',
      tasks: [
        { title: 'Fix it', status: 'in_progress' },
        { title: 'Drop it', status: 'deleted' },
      ],
    });
  });
});
