import { describe, expect, it } from 'vitest';
import { call, model, read, SET_UP, user } from './gemini-lines.js';

const factsOf = (...toolCalls: readonly object[]) =>
  read(user('u0', SET_UP), model('m1', '', { toolCalls })).facts.slice(4);

describe('tools in a transcript of Gemini CLI', () => {
  it.each([
    ['read_file', { file_path: 'a.ts' }, { kind: 'read', path: '/project/a.ts' }],
    [
      'read_file',
      { file_path: '/b.ts', start_line: 3, end_line: 9 },
      { kind: 'read', path: '/b.ts', lines: { first: 3, last: 9 } },
    ],
    [
      'read_file',
      { absolute_path: '/b.ts', offset: 2, limit: 7 },
      { kind: 'read', path: '/b.ts', lines: { first: 3, last: 9 } },
    ],
    [
      'write_file',
      { file_path: 'a.ts', content: 'x' },
      { kind: 'change', path: '/project/a.ts', how: 'written', after: 'x' },
    ],
    [
      'replace',
      { file_path: 'a.ts', old_string: 'x', new_string: 'y' },
      { kind: 'change', path: '/project/a.ts', how: 'edited', before: 'x', after: 'y' },
    ],
    ['grep_search', { pattern: 'x', dir_path: 'src' }, { kind: 'search', pattern: 'x', path: '/project/src' }],
    [
      'run_shell_command',
      { command: 'ls', description: 'Lists' },
      { kind: 'command', command: 'ls', purpose: 'Lists' },
    ],
    ['web_fetch', { prompt: 'Read https://example.com/a.' }, { kind: 'fetch', url: 'https://example.com/a.' }],
    ['invoke_agent', { agent_name: 'scout', prompt: 'Look.' }, { kind: 'delegation', title: 'scout', prompt: 'Look.' }],
  ])('knows what %s does', (tool, args, action) => {
    expect(factsOf(call(tool, args))[0]).toMatchObject({ type: 'tool.called', actions: [action] });
  });

  it.each(['read_file', 'replace', 'write_file', 'grep_search', 'run_shell_command', 'mcp_memo_remember'])(
    'knows nothing about %s without its arguments',
    (tool) => {
      expect(factsOf(call(tool, {}))[0]).toMatchObject({ actions: [] });
    },
  );

  it('reads to-dos as the whole list of tasks', () => {
    const todos = [
      { description: 'Fix it', status: 'in_progress' },
      { description: 'Drop it', status: 'cancelled' },
    ];
    expect(factsOf(call('write_todos', { todos }))[1]).toEqual({
      type: 'tasks.replaced',
      tasks: [
        { title: 'Fix it', status: 'in_progress' },
        { title: 'Drop it', status: 'deleted' },
      ],
    });
  });

  const framed = (text: string) => ({
    output: `<untrusted_context>\n${text}\nProcess Group PGID: 7\n</untrusted_context>`,
  });
  it.each([
    [framed('Output: no\nExit Code: 3'), 'success', { outcome: 'failed', exitCode: 3 }],
    [framed('Output: (empty)'), 'success', { outcome: 'ok', exitCode: 0 }],
    [framed('Output: \nSignal: 9'), 'success', { outcome: 'ok' }],
    [{ error: 'no such tool' }, 'error', { outcome: 'failed', text: 'no such tool' }],
    [{ error: '[Operation Cancelled] Reason: User denied execution.' }, 'cancelled', { outcome: 'refused' }],
  ])('reads the result %j of a command', (response, status, expected) => {
    const [, answer] = factsOf(call('run_shell_command', { command: 'x' }, response, status));
    expect(answer).toEqual({
      type: 'tool.answered',
      callId: 'run_shell_command__1',
      text: expect.any(String),
      ...expected,
    });
  });

  it('waits for the result of a call that is not done', () => {
    expect(factsOf(call('glob', { pattern: '*' }, {}, 'executing'))).toHaveLength(1);
  });
});
