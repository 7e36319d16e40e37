import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';

/** A durable server of its own, on a free port of the loopback. */
export async function startDurableRedis(): Promise<{
  readonly url: string;
  readonly redis: Redis;
  stop(): Promise<void>;
}> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'devs-bench-redis-'));
  const place = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', ''];
  const child = spawn('redis-server', [...place, '--appendonly', 'yes', '--appendfsync', 'always'], {
    stdio: 'ignore',
  });
  await pause(200);
  const redis = new Redis({ port, host: '127.0.0.1' });
  await redis.ping();
  return {
    url: `redis://127.0.0.1:${port}`,
    redis,
    async stop() {
      redis.disconnect();
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
