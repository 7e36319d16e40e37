import { describe, expect, it } from 'vitest';
import { resolveCall } from '../../decide/resolve-call.js';
import { parseResponses } from '../responses/parse-responses.js';
import { wholeResponses } from '../responses/stream-responses.js';

/** As Codex 0.166 sends it for its newer models: no `tools`, one tool that runs JavaScript. */
const CODE_REQUEST = parseResponses(
  {
    model: 'gpt-6.1-sol',
    input: [
      {
        type: 'additional_tools',
        role: 'developer',
        tools: [
          { type: 'namespace', name: 'functions', tools: [{ type: 'custom', name: 'exec' }] },
          { type: 'namespace', name: 'clock', tools: [{ type: 'function', name: 'sleep' }] },
        ],
      },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hello' }] },
    ],
  },
  {},
);

const run = { kind: 'run', command: 'echo "hi"' } as const;
const tool = (name: string, input: string) => ({ kind: 'tool', name, input }) as const;

describe('an agent with one tool for code', () => {
  it('offers its tools in the input', () => {
    expect(CODE_REQUEST.tools.map(({ name, kind }) => [name, kind])).toEqual([
      ['exec', 'custom'],
      ['clock__sleep', 'function'],
    ]);
  });

  it.each([
    [run, 'text(await tools.exec_command({"cmd":"echo \\"hi\\""}));'],
    [tool('mcp__memo__remember', '{"a":1}'), 'text(await tools.mcp__memo__remember({"a":1}));'],
    [tool('apply_patch', '*** Begin'), 'text(await tools.apply_patch("*** Begin"));'],
    [tool('exec', 'text(1)'), 'text(1)'],
  ])('receives %j as JavaScript', (call, text) => {
    expect(resolveCall(call, CODE_REQUEST)).toEqual({ kind: 'call', name: 'exec', isCustom: true, text });
  });

  it.each([
    ['exec', { namespace: 'functions', name: 'exec', type: 'custom_tool_call' }],
    ['clock__sleep', { namespace: 'clock', name: 'sleep', type: 'function_call' }],
  ])('finds %s in its namespace', (name, expected) => {
    const usage = { input: 1, output: 1, cached: 0, written: 1 };
    const part = resolveCall(tool(name, '{}'), CODE_REQUEST);
    const wire = { request: CODE_REQUEST, newId: (prefix: string) => prefix, nowMs: 0, pieceSize: 9 };
    const { output } = wholeResponses(
      { kind: 'answer', parts: [part], ending: { kind: 'complete' }, usage, delayMs: 0, paceMs: 0 },
      wire,
    );
    expect(output).toMatchObject([expected]);
  });
});

describe('a tool of an MCP server', () => {
  it.each(['mcp__memo__remember', 'memo_remember', 'mcp_memo_remember'])('is found as %s', (name) => {
    const tools = [{ name, kind: 'function' as const, definition: {} }];
    expect(resolveCall(tool('mcp__memo__remember', '{}'), { tools }).name).toBe(name);
  });
});
