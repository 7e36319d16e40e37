import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach } from 'vitest';

const NOT_INSTALLED = 'redis-server is not installed: apt-get install redis-server';

/** A real server for the tests of a file, which skip with a reason where none is installed. */
export function useRedis() {
  const isInstalled = spawnSync('redis-server', ['--version']).status === 0;
  const folder = mkdtempSync(join(tmpdir(), 'devs-fleet-redis-'));
  let server: ChildProcess | undefined;
  let client: Redis | undefined;
  let port = 0;
  const killAtExit = () => void server?.kill('SIGKILL');

  beforeAll(async () => {
    if (!isInstalled && process.env['DEVS_REQUIRE_REDIS'] === '1') throw new Error(NOT_INSTALLED);
    if (!isInstalled) return;
    port = await freePort();
    const place = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', ''];
    server = spawn('redis-server', place, { stdio: 'ignore' });
    process.on('exit', killAtExit);
    client = new Redis({ port, host: '127.0.0.1', maxRetriesPerRequest: null });
    client.on('error', () => {}); // until it listens
    await client.ping();
  });
  beforeEach((context) => {
    if (!isInstalled) context.skip(NOT_INSTALLED);
  });
  afterAll(async () => {
    client?.disconnect();
    if (server !== undefined) {
      const ended = once(server, 'exit');
      server.kill('SIGKILL');
      await ended;
      process.off('exit', killAtExit);
    }
    rmSync(folder, { recursive: true });
  });

  return {
    url: () => `redis://127.0.0.1:${port}`,
    /** A command that answers with a list of texts. */
    async command(name: string, ...args: readonly string[]): Promise<readonly string[]> {
      const answer = await client?.call(name, ...args);
      return Array.isArray(answer) ? answer.map(String) : [];
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
