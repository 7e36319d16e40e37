import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** A redis-server of one's own: durable, on the loopback, in a folder that goes with it. */
export interface RedisServer {
  readonly port: number;
  readonly url: string;
  readonly folder: string;
  /** Starts it on its own data and its port; resolves when it answers. */
  start(): Promise<void>;
  /** Ends it as a power cut would. */
  kill(): Promise<void>;
  /** Ends it, and removes its folder. */
  stop(): Promise<void>;
}

export const REDIS_NOT_INSTALLED = 'redis-server is not installed: apt-get install redis-server';

/** Whether there is a redis-server; an error where there is none and `DEVS_REQUIRE_REDIS` asks for one. */
export function isRedisInstalled(): boolean {
  const isInstalled = spawnSync('redis-server', ['--version']).status === 0;
  if (!isInstalled && process.env['DEVS_REQUIRE_REDIS'] === '1') throw new Error(REDIS_NOT_INSTALLED);
  return isInstalled;
}

const DURABLE = ['--appendonly', 'yes', '--appendfsync', 'always', '--save', ''];

export async function startRedisServer(extraArgs: readonly string[] = []): Promise<RedisServer> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'devs-redis-'));
  const place = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--loglevel', 'warning'];
  let child: ChildProcess | undefined;

  const kill = async () => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  };
  const killAtExit = () => void child?.kill('SIGKILL');
  const server: RedisServer = {
    port,
    url: `redis://127.0.0.1:${port}`,
    folder,
    kill,
    async start() {
      child = spawn('redis-server', [...place, ...DURABLE, ...extraArgs], { stdio: 'ignore' });
      await once(child, 'spawn');
      await answers(port, child);
    },
    async stop() {
      process.off('exit', killAtExit);
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  process.on('exit', killAtExit);
  await server.start();
  return server;
}

/** While it loads its data, it says so. */
async function answers(port: number, child: ChildProcess): Promise<void> {
  while (child.exitCode === null && child.signalCode === null) {
    const answer = await askRedis(port, ['PING']).catch(() => '');
    if (/^\+PONG|^-NOAUTH/.test(answer)) return;
    await pause(10);
  }
  throw new Error(`redis-server ended with ${child.exitCode}`);
}

/** The beginning of its answer, as the server writes it. */
export async function askRedis(port: number, words: readonly string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    socket.write(`*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')}`);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    return answer.toString();
  } finally {
    socket.destroy();
  }
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
