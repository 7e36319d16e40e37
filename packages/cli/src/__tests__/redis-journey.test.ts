import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runDevs } from './run-devs.js';

const NOT_INSTALLED = 'redis-server is not installed: apt-get install redis-server';
const isInstalled = spawnSync('redis-server', ['--version']).status === 0;
const folder = mkdtempSync(join(tmpdir(), 'devs-redis-journey-'));
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

const devs = (...args: string[]) => runDevs(args, { cwd: folder, env: { DEVS_STORE: '' } });
const storeAt = (prefix: string) => ['--store', `redis://127.0.0.1:${port}?prefix=${prefix}`];

describe('with a store in Redis', () => {
  it('everything of it can be removed, and only when that is meant', async () => {
    const [shop, other] = [storeAt('shop:'), storeAt('shop:other')];
    await devs('task', 'add', 'one', ...shop); // waits for the server
    await devs('task', 'add', 'two', ...other);
    await command('SET shop:theirs precious');

    const asked = await devs('purge', ...shop);
    expect(asked).toMatchObject({ exitCode: 2, stdout: '' });
    expect(asked.stderr).toMatch(
      /^This will be removed:\n {2}redis:\/\/127\.0\.0\.1:\d+: \d+ keys that begin with \{shop\}:\nIt holds 1 task: 1 pending\.\n/,
    );
    expect(JSON.parse((await devs('task', 'list', '--json', ...shop)).stdout)).toMatchObject({ total: 1 });

    const purged = await devs('purge', '--yes', '--json', ...shop);
    expect(purged.exitCode).toBe(0);
    expect(JSON.parse(purged.stdout)).toMatchObject({
      removed: [expect.stringContaining('keys that begin with {shop}:')],
    });
    expect(await devs('purge', ...shop)).toEqual({ exitCode: 0, stdout: 'There is nothing to remove.\n', stderr: '' });
    expect(JSON.parse((await devs('task', 'list', '--json', ...other)).stdout)).toMatchObject({ total: 1 });
    expect(await command('GET shop:theirs')).toContain('precious');
  });

  it('says what is the matter where no server answers, without the password', async () => {
    const nobody = await freePort();
    const { exitCode, stderr } = await devs('purge', '--yes', '--store', `redis://a:hunter2@127.0.0.1:${nobody}`);

    expect([exitCode, stderr]).toEqual([1, expect.stringContaining(`no Redis answers at redis://127.0.0.1:${nobody}`)]);
    expect(stderr).not.toContain('hunter2');
  });
});

/** One command as people type it; the answer as the server writes it. */
async function command(line: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(`${line}\r\n`);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  return answer.toString();
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
