import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { createToolServer, serveStdio } from '../index.js';
import { createStdioTransport } from '../stdio/create-stdio-transport.js';

const emptyServer = () => createToolServer({ name: 'empty', version: '0', tools: [], context: undefined });
const streams = () => ({ stdin: new PassThrough(), stdout: new PassThrough() });

it('ends when its signal is aborted, whether before or after it began', async () => {
  const stop = new AbortController();
  const serving = serveStdio(emptyServer(), { ...streams(), signal: stop.signal });
  stop.abort();
  await serving;
  await serveStdio(emptyServer(), { ...streams(), signal: stop.signal });
});

it('ends at once on an input that has ended', async () => {
  const { stdin, stdout } = streams();
  stdin.destroy();
  await serveStdio(emptyServer(), { stdin, stdout });
});

it('leaves no listener for signals behind', async () => {
  const count = () => process.listenerCount('SIGTERM') + process.listenerCount('SIGINT');
  const before = count();
  const { stdin, stdout } = streams();
  const serving = serveStdio(emptyServer(), { stdin, stdout });
  stdin.end();
  await serving;
  expect(count()).toBe(before);
});

it('refuses a message over the limit, and reads the next one', async () => {
  const { stdin, stdout } = streams();
  const refused: string[] = [];
  const onRefused = (reason: string) => void refused.push(reason);
  const transport = createStdioTransport({ stdin, stdout, limitBytes: 60, onRefused });
  const received: unknown[] = [];
  transport.onmessage = (message) => void received.push(message);
  await transport.start();
  stdin.end(`${'x'.repeat(100)}\n{"jsonrpc":"2.0","id":1,"method":"ping"}\n`);
  await transport.ended;
  expect(refused).toEqual(['a message is longer than 60 bytes']);
  expect(received).toEqual([{ jsonrpc: '2.0', id: 1, method: 'ping' }]);
  expect(JSON.parse(String(stdout.read()))).toEqual({
    jsonrpc: '2.0',
    error: { code: -32600, message: 'a message is longer than 60 bytes' },
  });
});
