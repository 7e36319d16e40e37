import type { ConversationFact } from '@devs/core';
import { describe, expect, it } from 'vitest';
import { answered, called, item, read, started } from './codex-lines.js';

const actionsOf = (...lines: readonly string[]) =>
  read(started, ...lines).facts.flatMap((fact: ConversationFact) =>
    fact.type === 'tool.called' ? [fact.actions] : [],
  );

describe('tools in a transcript of Codex', () => {
  it.each([
    ['exec_command', { cmd: 'cat src/a.ts' }],
    ['shell_command', { command: 'cat src/a.ts' }],
    ['shell', { command: ['bash', '-lc', 'cat src/a.ts'] }],
    ['shell', { command: ['cat', 'src/a.ts'] }],
  ])('reads what %s runs, and what that reads', (tool, input) => {
    expect(actionsOf(called(tool, input))).toEqual([
      [
        { kind: 'command', command: 'cat src/a.ts' },
        { kind: 'read', path: '/project/src/a.ts' },
      ],
    ]);
  });

  it('begins relative paths where the command runs', () => {
    expect(actionsOf(called('exec_command', { cmd: 'cat a.ts', workdir: 'sub' }))[0]?.[1]).toEqual({
      kind: 'read',
      path: '/project/sub/a.ts',
    });
  });

  it('reads a patch as changes of files', () => {
    const patch = '*** Begin Patch\n*** Update File: a.ts\n*** Move to: b.ts\n@@\n-one\n+two\n*** End Patch\n';
    const changes = [
      { kind: 'change', path: '/project/a.ts', how: 'moved', movedTo: '/project/b.ts' },
      { kind: 'change', path: '/project/b.ts', how: 'edited', before: 'one\n', after: 'two\n' },
    ];
    expect(actionsOf(item({ type: 'custom_tool_call', call_id: 'c', name: 'apply_patch', input: patch }))).toEqual([
      changes,
    ]);
    expect(actionsOf(called('shell', { command: ['bash', '-lc', `apply_patch <<'EOF'\n${patch}EOF`] }))).toEqual([
      changes,
    ]);
  });

  it('names a tool of an MCP server with its server', () => {
    const call = item({
      type: 'function_call',
      namespace: 'mcp__memo',
      name: 'remember',
      arguments: '{}',
      call_id: 'c',
    });
    expect(read(call).facts[0]).toMatchObject({ tool: 'mcp__memo__remember', actions: [] });
  });

  it.each([
    [
      'Chunk ID: 1f\nWall time: 0.1 seconds\nProcess exited with code 0\nOriginal token count: 1\nOutput:\nhi\n',
      'ok',
      0,
      'hi\n',
    ],
    ['Chunk ID: 1f\nWall time: 0.1 seconds\nProcess exited with code 3\nOutput:\nno\n', 'failed', 3, 'no\n'],
    ['Exit code: 1\nWall time: 0 seconds\nOutput:\nno', 'failed', 1, 'no'],
    ['{"output":"no","metadata":{"exit_code":2,"duration_seconds":0.1}}', 'failed', 2, 'no'],
    ['unsupported call: fly', 'failed', undefined, 'unsupported call: fly'],
    [
      'apply_patch verification failed: no such file',
      'failed',
      undefined,
      'apply_patch verification failed: no such file',
    ],
    ['Wall time: 3.9 seconds\naborted by user', 'refused', undefined, 'Wall time: 3.9 seconds\naborted by user'],
    [[{ type: 'input_text', text: 'seen' }], 'ok', undefined, 'seen'],
    [{ content: 'no', success: false }, 'failed', undefined, 'no'],
  ])('reads the result %j', (output, outcome, exitCode, text) => {
    expect(read(answered(output)).facts).toEqual([
      { type: 'tool.answered', callId: 'call-1', text, outcome, ...(exitCode === undefined ? {} : { exitCode }) },
    ]);
  });

  it('knows which command it waits for when one kept running', () => {
    const running = 'Chunk ID: 1f\nWall time: 1.0 seconds\nProcess running with session ID 77\nOutput:\n';
    const actions = actionsOf(
      called('exec_command', { cmd: 'npm test' }),
      answered(running),
      called('write_stdin', { session_id: 77, chars: '' }, 'call-2'),
    );
    expect(actions[1]).toEqual([{ kind: 'command', command: 'npm test' }]);
  });
});
