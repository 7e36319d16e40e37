import { PassThrough, Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { createToolServer, defineTool, type McpLogEvent, serveStdio, type ToolCall } from '../index.js';

const write = (stdin: PassThrough, message: object) =>
  stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

/** Serves one tool that performs `run`; the client calls it twice and leaves. Returns the log. */
async function callTwice(run: (call: ToolCall<unknown>) => void, stdout: Writable): Promise<McpLogEvent[]> {
  const logged: McpLogEvent[] = [];
  const tool = defineTool({
    name: 'tool',
    title: 'Tool',
    description: 'Does what the test wants',
    annotations: {},
    input: z.object({}),
    output: z.object({}),
    run(_input, call) {
      run(call);
      return {};
    },
  });
  const logger = { log: (event: McpLogEvent) => void logged.push(event) };
  const server = createToolServer({ name: 'test', version: '0', tools: [tool], context: undefined, logger });
  const stdin = new PassThrough();
  const clientInfo = { name: 'test', version: '0' };
  write(stdin, {
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
  });
  for (const id of [1, 2]) write(stdin, { id, method: 'tools/call', params: { name: 'tool' } });
  stdin.end();
  await serveStdio(server, { stdin, stdout });
  return logged;
}

it('waits with the jobs until the operating system has the answer', async () => {
  const happened: string[] = [];
  const slow = new Writable({
    write(chunk, _encoding, done) {
      const { id } = JSON.parse(String(chunk));
      setTimeout(() => {
        happened.push(`answer ${id} is written`);
        done();
      }, 5);
    },
  });
  await callTwice(({ afterAnswer }) => {
    happened.push('call');
    afterAnswer(async () => void happened.push('job'));
  }, slow);
  expect(happened.filter((what) => what !== 'answer 0 is written')).toEqual([
    ...['call', 'answer 1 is written', 'job'],
    ...['call', 'answer 2 is written', 'job'],
  ]);
});

it('leaves the jobs undone when the answer cannot be written', async () => {
  const happened: string[] = [];
  const broken = new Writable({ write: (_chunk, _encoding, done) => done(new Error('EPIPE')) });
  const logged = await callTwice(({ afterAnswer }) => {
    happened.push('call');
    afterAnswer(async () => void happened.push('job'));
  }, broken);
  expect(happened).not.toContain('job');
  expect(logged.filter(({ event }) => event !== 'CONNECTION_TROUBLE')).toEqual([]);
});

it('does a job that another job asks for', async () => {
  const done: string[] = [];
  await callTwice(({ afterAnswer }) => {
    afterAnswer(async () => {
      done.push('first');
      afterAnswer(async () => void done.push('asked for by the first'));
    });
    afterAnswer(async () => void done.push('second'));
  }, new PassThrough());
  const once = ['first', 'second', 'asked for by the first'];
  expect(done).toEqual([...once, ...once]);
});

it('leaves out the jobs of a call that throws', async () => {
  const done: string[] = [];
  const logged = await callTwice(({ afterAnswer }) => {
    afterAnswer(async () => void done.push('job'));
    throw new Error('no');
  }, new PassThrough());
  expect(logged.map(({ event }) => event)).toEqual(['TOOL_THREW', 'TOOL_THREW']);
  expect(done).toEqual([]);
});

it('refuses a job when the call is over', async () => {
  const calls: ToolCall<unknown>[] = [];
  await callTwice((call) => void calls.push(call), new PassThrough());
  expect(() => calls[0]?.afterAnswer(async () => {})).toThrow('the call of tool is over');
});
