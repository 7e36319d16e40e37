import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { inspect } from 'node:util';
import { openStore, type StoreBackend } from '@devs/core';
import { SILENT_ADDRESS } from '@devs/core/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openRedisBackend, type RedisBackendOptions } from '../create-redis-backend.js';
import { startScratchRedis, useScratchRedis } from './scratch-redis.js';

const redis = useScratchRedis();
const note = { type: 'note.written', data: { text: 'x' } };
const unavailable = (message: RegExp) => ({ code: 'STORE_UNAVAILABLE', message: expect.stringMatching(message) });

async function open(options: Partial<RedisBackendOptions> = {}): Promise<StoreBackend> {
  const backend = await openRedisBackend({ url: redis().url, openMs: 500, ...options });
  onTestFinished(() => backend.close());
  return backend;
}

const logOf = (backend: StoreBackend) => openStore({ backend, clock: { now: Date.now }, newId: randomUUID }).log;

describe('a Redis that cannot be used is reported with what to do', () => {
  it('when nothing listens', async () => {
    const url = `redis://${SILENT_ADDRESS}`;
    await expect(open({ url, openMs: 100 })).rejects.toMatchObject(unavailable(/no Redis answers .*start it/));
  });

  it('when there is no such host', async () => {
    const url = 'redis://no-such-host.invalid';
    await expect(open({ url, openMs: 2_000 })).rejects.toMatchObject(unavailable(/no host of that name/));
  });

  it('when it has no such database, which must not become database 0', async () => {
    await expect(open({ url: `${redis().url}/99` })).rejects.toMatchObject(unavailable(/no such database/));
  });

  it('when the password is wrong or missing, without repeating it', async () => {
    const guarded = await startScratchRedis(['--requirepass', 'right-one']);
    onTestFinished(() => guarded.stop());
    const at = `127.0.0.1:${guarded.port}`;
    const wrong = await open({ url: `redis://anna:hush-hush@${at}` }).catch((error: unknown) => error);
    expect(wrong).toMatchObject(unavailable(/refuses the user or password/));
    expect(inspect(wrong, { depth: 9, showHidden: true })).not.toContain('hush');
    await expect(open({ url: `redis://${at}` })).rejects.toMatchObject(unavailable(/wants a password/));
    expect(await (await open({ url: `redis://:right-one@${at}` })).version('run:a')).toBe(0);
  });

  it('when it is older than 7', async () => {
    const old = await fakeRedis('# Server\r\nredis_version:6.2.14\r\nrole:master\r\n');
    await expect(open({ url: old })).rejects.toMatchObject(unavailable(/is version 6\.2\.14; devs needs 7/));
  });

  it('when something else listens there', async () => {
    const server = createServer((socket) => socket.on('error', () => {}).end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    await expect(open({ url: await listen(server) })).rejects.toMatchObject(unavailable(/does not speak plain Redis/));
  });

  it('when it is, or has become, a read-only replica', async () => {
    const backend = await open({ keyPrefix: 'replica:' });
    await redis().command('REPLICAOF', '127.0.0.1', '1');
    onTestFinished(async () => void (await redis().command('REPLICAOF', 'NO', 'ONE')));
    await expect(logOf(backend).append('run:a', 0, [note])).rejects.toMatchObject(unavailable(/read-only replica/));
    await expect(open()).rejects.toMatchObject(unavailable(/read-only replica/));
  });

  it('when its memory is full, with nothing half stored', async () => {
    const backend = await open({ keyPrefix: 'oom:' });
    const log = logOf(backend);
    await log.append('run:a', 0, [note]);
    await redis().command('CONFIG', 'SET', 'maxmemory', '1');
    await expect(log.append('run:a', 1, [note, note])).rejects.toMatchObject(unavailable(/raise maxmemory/));
    expect(await log.read()).toHaveLength(1);
    await redis().command('CONFIG', 'SET', 'maxmemory', '0');
    expect(await log.append('run:a', 1, [note])).toMatchObject({ status: 'appended', position: 2 });
  });

  it('when it stays away for too long, and is used again when it is back', async () => {
    const log = logOf(await open({ keyPrefix: 'away:', waitMs: 100 }));
    const stop = new AbortController();
    await redis().kill();
    await expect(log.append('run:a', 0, [note])).rejects.toMatchObject(unavailable(/no Redis answers .*start it/));
    await expect(log.follow({ signal: stop.signal })[Symbol.asyncIterator]().next()).rejects.toMatchObject(
      unavailable(/start it/),
    );
    await redis().start();
    await expect.poll(() => log.version('run:a').catch(() => -1)).toBe(0);
    expect(await log.append('run:a', 0, [note])).toMatchObject({ status: 'appended', position: 1 });
  });
});

async function fakeRedis(info: string): Promise<string> {
  const answer = `$${info.length}\r\n${info}\r\n`;
  return listen(createServer((socket) => socket.on('error', () => {}).on('data', () => socket.write(answer))));
}

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return `redis://127.0.0.1:${address.port}`;
}
