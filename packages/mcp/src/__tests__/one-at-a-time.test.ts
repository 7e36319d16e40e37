import { expect, it } from 'vitest';
import { scratchFolder, startRaw } from './table-server.js';

it('runs calls that arrive together one after another, each with its job, in the order of arrival', async () => {
  using scratch = scratchFolder();
  await using client = await startRaw(scratch.command);
  const names = Array.from({ length: 20 }, (_, index) => `call ${index}`);
  for (const [index, name] of names.entries()) client.call(index + 1, 'work', { name });
  const answered = [];
  for (const _ of names) answered.push((await client.next()).id);
  client.child.stdin.end();
  await client.ended;

  expect(answered).toEqual(names.map((_, index) => index + 1));
  expect(scratch.journal()).toEqual([
    ...names.flatMap((name) => [`${name} begins`, `${name} answers`, `${name} follows up`, `${name} is done`]),
    'the server ended',
  ]);
});

it('answers before the job, and makes the next call wait for it', async () => {
  using scratch = scratchFolder();
  await using client = await startRaw(scratch.command);
  client.call(1, 'work', { name: 'first', after: 'gate' });
  client.call(2, 'work', { name: 'second' });
  expect(await client.next()).toMatchObject({ id: 1 }); // The gate is closed: the job cannot be done.
  client.request(3, 'ping');
  expect(await client.next()).toMatchObject({ id: 3 }); // Requests other than calls do not wait.
  await scratch.told('first follows up');
  expect(scratch.journal()).toEqual(['first begins', 'first answers', 'first follows up']);
  scratch.openGate('gate');
  expect(await client.next()).toMatchObject({ id: 2 });
  expect(scratch.journal().slice(3, 5)).toEqual(['first is done', 'second begins']);
});

it('leaves the job undone when the process is killed after the answer', async () => {
  using scratch = scratchFolder();
  await using client = await startRaw(scratch.command);
  client.call(1, 'work', { name: 'one', after: 'gate' });
  expect(await client.next()).toMatchObject({ id: 1, result: { content: [{ text: expect.stringContaining('one') }] } });
  client.child.kill('SIGKILL');
  await client.ended;
  scratch.openGate('gate');
  expect(scratch.journal()).not.toContain('one is done');
});

it('logs a job that throws and continues with the next', async () => {
  using scratch = scratchFolder();
  await using client = await startRaw(scratch.command);
  client.call(1, 'stumble', {});
  client.call(2, 'echo', { text: 'on' });
  expect(await client.next()).toMatchObject({ id: 1, result: { structuredContent: { ok: true } } });
  expect(await client.next()).toMatchObject({ id: 2, result: { structuredContent: { text: 'on' } } });
  client.child.stdin.end();
  await client.ended;
  expect(scratch.journal()).toContain('the job after it is done');
  expect(client.errors()).toContain(
    '"event":"AFTER_ANSWER_JOB_THREW","tool":"stumble","error":"Error: the job stumbled',
  );
});

it('drops a cancelled call: no answer, no job, and a waiting call never starts', async () => {
  using scratch = scratchFolder();
  await using client = await startRaw(scratch.command);
  const cancel = (requestId: number) =>
    client.write(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } }));
  client.call(1, 'work', { name: 'at work', during: 'gate' });
  client.call(2, 'work', { name: 'waiting' });
  client.call(3, 'echo', { text: 'last' });
  await scratch.told('at work begins');
  cancel(1);
  cancel(2);
  client.request(4, 'ping');
  expect(await client.next()).toMatchObject({ id: 4 }); // The cancellations were read.
  scratch.openGate('gate');
  expect(await client.next()).toMatchObject({ id: 3 });
  expect(scratch.journal()).toEqual(['at work begins', 'at work answers']);
});
