import { expect, it } from 'vitest';
import { scratchFolder, startRaw } from './table-server.js';

it('answers garbage with an error and lives on', async () => {
  using scratch = scratchFolder();
  await using client = await startRaw(scratch.command);
  client.write('{"jsonrpc":"2.0","id":');
  client.write('\r');
  client.write('{"hello":1,"id":5}');
  client.write('[1,2]');
  client.call(6, 'echo', { text: 'alive' });
  expect(await client.next()).toEqual({ jsonrpc: '2.0', error: { code: -32700, message: 'a line is not JSON' } });
  const notRpc = { code: -32600, message: 'a line is not a message of JSON-RPC 2.0' };
  expect(await client.next()).toEqual({ jsonrpc: '2.0', id: 5, error: notRpc });
  expect(await client.next()).toEqual({ jsonrpc: '2.0', error: notRpc });
  expect(await client.next()).toMatchObject({ id: 6, result: { structuredContent: { text: 'alive' } } });
});

it('takes a message of 20 MB', async () => {
  using scratch = scratchFolder();
  await using client = await startRaw(scratch.command);
  const text = 'ä'.repeat(10 * 1024 * 1024);
  client.call(1, 'echo', { text });
  const answer = await client.next();
  expect(JSON.parse(answer.result?.content?.[0]?.text ?? '').text === text).toBe(true);
});

it("keeps a tool's prints off the protocol channel", async () => {
  using scratch = scratchFolder();
  await using client = await startRaw(scratch.command);
  client.call(1, 'chatter', {});
  expect(await client.next()).toMatchObject({ id: 1, result: { structuredContent: { text: 'said' } } });
  client.child.stdin.end();
  await client.ended;
  expect(client.errors()).toBe('noise\n');
});

it('says on stderr what went wrong inside', async () => {
  using scratch = scratchFolder();
  await using client = await startRaw(scratch.command);
  client.call(1, 'refuse', { code: 'EXPECTED' });
  client.call(2, 'refuse', {});
  client.call(3, 'lie', {});
  client.child.stdin.end();
  await client.ended;
  const events = client.errors().trim().split('\n');
  expect(events.map((line) => JSON.parse(line))).toMatchObject([
    { event: 'TOOL_THREW', tool: 'refuse', error: expect.stringContaining('Workflow not started') },
    { event: 'TOOL_RESULT_INVALID', tool: 'lie', error: expect.stringContaining('expected string') },
  ]);
});
