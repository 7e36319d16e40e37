import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach } from 'vitest';

const NOT_INSTALLED = 'redis-server is not installed: apt-get install redis-server';

/** A real server for the tests of a file, which skip with a reason where none is installed. */
export function useRedisServer() {
  const isInstalled = spawnSync('redis-server', ['--version']).status === 0;
  const folder = mkdtempSync(join(tmpdir(), 'devs-redis-'));
  let server: ChildProcess | undefined;
  let port = 0;
  const killAtExit = () => void server?.kill('SIGKILL');

  beforeAll(async () => {
    if (!isInstalled && process.env['DEVS_REQUIRE_REDIS'] === '1') throw new Error(NOT_INSTALLED);
    if (!isInstalled) return;
    port = await freePort();
    const place = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', ''];
    server = spawn('redis-server', place, { stdio: 'ignore' });
    process.on('exit', killAtExit);
  });
  beforeEach((context) => {
    if (!isInstalled) context.skip(NOT_INSTALLED);
  });
  afterAll(async () => {
    if (server !== undefined) {
      const ended = once(server, 'exit');
      server.kill('SIGKILL');
      await ended;
      process.off('exit', killAtExit);
    }
    rmSync(folder, { recursive: true });
  });

  return {
    folder,
    address: () => `redis://127.0.0.1:${port}`,
    /** One command as people type it; the answer as the server writes it. */
    async command(line: string): Promise<string> {
      const socket = connect(port, '127.0.0.1');
      socket.write(`${line}\r\n`);
      const [answer] = (await once(socket, 'data')) as [Buffer];
      socket.destroy();
      return answer.toString();
    },
  };
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
