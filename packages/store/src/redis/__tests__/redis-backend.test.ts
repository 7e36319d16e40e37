import { randomUUID } from 'node:crypto';
import { openStore, type StoreBackend } from '@devs/core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openRedisBackend } from '../create-redis-backend.js';
import { useScratchRedis } from './scratch-redis.js';

const redis = useScratchRedis();

async function open(options: { readonly prefix: string; readonly login?: string }): Promise<StoreBackend> {
  const { prefix, login = '' } = options;
  const backend = await openRedisBackend({ url: `redis://${login}127.0.0.1:${redis().port}?prefix=${prefix}` });
  onTestFinished(() => backend.close());
  return backend;
}

const storeOn = (backend: StoreBackend) => openStore({ backend, clock: { now: Date.now }, newId: randomUUID });
const note = (text: string) => ({ type: 'note.written', data: { text } });

describe('a store in Redis', () => {
  it('sees nothing stored under another prefix, even a prefix of its own prefix', async () => {
    const [one, other] = await Promise.all([open({ prefix: 'team' }), open({ prefix: 'team:a' })]);
    await storeOn(one).log.append('run:a', 0, [note('mine')]);
    await storeOn(one).tasks.add([{ id: 'mine', intent: 'do it' }]);
    expect(await other.read({ after: 0, limit: 10 })).toEqual([]);
    expect((await other.listTasks({ limit: 10 })).total).toBe(0);
    expect(await storeOn(other).tasks.claim({ by: 'x', leaseMs: 1_000 })).toEqual({ status: 'nothing-to-do' });
  });

  it('takes little room for a short stream, by either way of appending', async () => {
    const store = storeOn(await open({ prefix: 'room' }));
    await store.log.append('run:short', 0, [note('one')]);
    await store.tasks.add([{ id: 'short', intent: 'first' }]);
    for (const name of ['run:short', 'task:short'])
      expect(Number(await redis().command('MEMORY', 'USAGE', `{room}:stream:${name}`)), name).toBeLessThan(1_500);
    for (let version = 1; version < 250; version++) await store.log.append('run:short', version, [note(`${version}`)]);
    const events = await store.log.read({ stream: 'run:short', limit: 1_000 });
    expect(events.map(({ version }) => version)).toEqual(Array.from({ length: 250 }, (_, n) => n + 1));
    expect(await store.log.append('run:short', 249, [note('late')])).toEqual({ status: 'conflict', version: 250 });
  });

  it('keeps all keys of a prefix in one slot of a cluster', async () => {
    const store = storeOn(await open({ prefix: 'one-slot:' }));
    await store.tasks.add([
      { id: 'a', intent: 'first' },
      { id: 'b', intent: 'then', depends_on: ['a'] },
    ]);
    await store.tasks.claim({ by: 'x', leaseMs: 1_000 });
    const keys = (await redis().command('KEYS', '*one-slot*')) as string[];
    expect(keys.length).toBeGreaterThan(8);
    expect(keys.filter((key) => !key.startsWith('{one-slot}:'))).toEqual([]);
  });

  it('forgets which commits without events it has seen, not before a day is over, and nothing else', async () => {
    const backend = await open({ prefix: 'ttl:' });
    await storeOn(backend).tasks.add([{ id: 'a', intent: 'first' }]);
    await backend.commit({ id: 'no-events', at: Date.now(), streams: [], tasks: [] });
    const keys = (await redis().command('KEYS', '{ttl}:*')) as string[];
    const lives = await Promise.all(keys.map(async (key) => [key, Number(await redis().command('TTL', key))] as const));
    const mortal = lives.filter(([, seconds]) => seconds !== -1);
    expect(mortal).toEqual([[expect.stringContaining('{ttl}:commits:'), expect.any(Number)]]);
    expect(mortal[0]?.[1]).toBeGreaterThan(86_400);
  });

  it('is opened by a user with a password who may touch its own keys only', async () => {
    const rights = ['~{acl}:*', '+@read', '+@write', '+@scripting', '+info', '+time', '+select', '+quit'];
    await redis().command('ACL', 'SETUSER', 'anna', 'on', '>p@ss word', ...rights);
    const store = storeOn(await open({ prefix: 'acl:', login: 'anna:p%40ss%20word@' }));
    await store.tasks.add([{ id: 'a', intent: 'first' }]);
    expect(await store.tasks.claim({ by: 'x', leaseMs: 1_000 })).toMatchObject({ status: 'claimed' });

    await expect(open({ prefix: 'not-hers:', login: 'anna:p%40ss%20word@' })).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringContaining('{prefix}:*'),
    });
  });

  it('finds texts among many tasks, with the right total and in the order of adding', async () => {
    const backend = await open({ prefix: 'search:' });
    const store = storeOn(backend);
    const tasks = Array.from({ length: 1_300 }, (_, index) => ({
      id: `t${index}`,
      intent: index % 100 === 7 ? 'Paint it' : 'x',
    }));
    await store.tasks.add(tasks.slice(0, 1_000));
    await store.tasks.add(tasks.slice(1_000));
    await store.tasks.complete({ id: 't107' });
    const page = await store.tasks.list({ text: 'pAINT', offset: 2, limit: 3 });
    expect([page.tasks.map(({ id }) => id), page.total]).toEqual([['t207', 't307', 't407'], 13]);
    expect((await store.tasks.list({ text: 'paint', statuses: ['done'], limit: 3 })).total).toBe(1);
    const merged = await store.tasks.list({ statuses: ['done', 'pending'], offset: 106, limit: 3 });
    expect([merged.tasks.map(({ id }) => id), merged.total]).toEqual([['t106', 't107', 't108'], 1_300]);
    expect(await store.tasks.list({ statuses: [], limit: 3 })).toEqual({ tasks: [], total: 0 });
  });

  it('keeps a heartbeat that came while another change of the task was decided', async () => {
    const backend = await open({ prefix: 'heartbeat:' });
    const store = storeOn(backend);
    await store.tasks.add([{ id: 'a', intent: 'first' }]);
    const claim = await store.tasks.claim({ by: 'x', leaseMs: 1_000 });
    if (claim.status !== 'claimed') throw new Error('not claimed');
    const until = Date.now() + 60_000;
    await backend.renewLease({ id: 'a', fence: claim.fence, until });
    const after = { ...claim.task, version: claim.task.version + 1 };
    const stream = { stream: 'task:a', expectedVersion: claim.task.version, events: [note('something else')] };
    await backend.commit({ id: 'late', at: Date.now(), streams: [stream], tasks: [{ before: claim.task, after }] });
    expect((await store.tasks.get('a'))?.lease).toEqual({ by: 'x', until });
  });

  it('wakes every waiter on close, and reports that it is closed', async () => {
    const backend = await open({ prefix: 'closing:' });
    const waiting = [0, 5, 99].map((after) => backend.changed({ after }, new AbortController().signal));
    await backend.close();
    await Promise.all(waiting);
    await expect(backend.version('run:a')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  });

  it('wakes those who wait for news only when there is something behind their position', async () => {
    const backend = await open({ prefix: 'waking:' });
    const { log } = storeOn(backend);
    const woken: number[] = [];
    const waiting = [99, 3, 1, 0].map(async (after) => {
      await backend.changed({ after }, AbortSignal.any([]));
      woken.push(after);
    });
    for (let version = 0; version < 4; version++) {
      await log.append('run:a', version, [note('news')]);
    }
    await Promise.all(waiting.slice(1));
    expect(woken).not.toContain(99);
    const stop = new AbortController();
    const aborted = backend.changed({ after: 99 }, stop.signal);
    stop.abort();
    await aborted;
  });
});
