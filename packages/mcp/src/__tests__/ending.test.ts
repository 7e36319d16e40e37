import { describe, expect, it } from 'vitest';
import { scratchFolder, startRaw } from './table-server.js';

describe('when the input ends', () => {
  it('answers the call at work and those that wait, and does their jobs', async () => {
    using scratch = scratchFolder();
    await using client = await startRaw(scratch.command);
    client.call(1, 'work', { name: 'first', during: 'gate' });
    client.call(2, 'work', { name: 'second' });
    await scratch.told('first begins');
    client.child.stdin.end();
    scratch.openGate('gate');
    expect(await client.rest()).toMatchObject([{ id: 1 }, { id: 2 }]);
    expect(await client.ended).toBe(0);
    expect(scratch.journal().slice(-3)).toEqual(['second follows up', 'second is done', 'the server ended']);
  });

  it('answers what came in the same breath, with or without a last newline', async () => {
    using scratch = scratchFolder();
    await using client = await startRaw(scratch.command);
    client.request(1, 'tools/list');
    const params = { name: 'echo', arguments: { text: 'last words' } };
    client.child.stdin.end(JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params }));
    expect((await client.rest()).map(({ id }) => id).sort()).toEqual([1, 2]);
    expect(await client.ended).toBe(0);
  });
});

describe.each(['SIGTERM', 'SIGINT'] as const)('on %s', (signal) => {
  it('finishes the call at work and its job, and begins no other', async () => {
    using scratch = scratchFolder();
    await using client = await startRaw(scratch.command);
    client.call(1, 'work', { name: 'first', during: 'gate' });
    client.call(2, 'work', { name: 'second' });
    client.request(3, 'ping');
    expect(await client.next()).toMatchObject({ id: 3 }); // Both calls were read.
    client.child.kill(signal);
    await scratch.told(signal);
    scratch.openGate('gate');
    expect(await client.rest()).toMatchObject([{ id: 1 }]);
    expect(await client.ended).toBe(0);
    expect(scratch.journal()).toEqual([
      'first begins',
      signal,
      'first answers',
      'first follows up',
      'first is done',
      'the server ended',
    ]);
  });

  it('ends at once when it is sent again', async () => {
    using scratch = scratchFolder();
    await using client = await startRaw(scratch.command);
    client.call(1, 'work', { name: 'endless', during: 'never' });
    await scratch.told('endless begins');
    client.child.kill(signal);
    await scratch.told(signal);
    client.child.kill(signal);
    await client.ended;
    expect(client.child.signalCode).toBe(signal);
    expect(scratch.journal()).toEqual(['endless begins', signal]);
  });
});

it('ends quietly when its answers are no longer read, and leaves the job undone', async () => {
  using scratch = scratchFolder();
  await using client = await startRaw(scratch.command);
  client.call(1, 'work', { name: 'unheard', during: 'gate' });
  await scratch.told('unheard begins');
  client.child.stdout.destroy();
  scratch.openGate('gate');
  expect(await client.ended).toBe(0);
  expect(client.errors()).not.toContain('EPIPE');
  expect(scratch.journal()).toEqual(['unheard begins', 'unheard answers', 'the server ended']);
});
