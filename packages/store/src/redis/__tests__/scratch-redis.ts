import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach } from 'vitest';

/** A redis-server of our own: durable, on the loopback, in a folder that goes with it. */
export interface ScratchRedis {
  readonly port: number;
  readonly url: string;
  readonly folder: string;
  /** Ends it as a power cut would. */
  kill(): Promise<void>;
  /** Restarts the server on its own data, on the same port. */
  start(): Promise<void>;
  /** Sends one command, as a user with all rights. */
  command(name: string, ...args: readonly string[]): Promise<unknown>;
  stop(): Promise<void>;
}

const DURABLE = ['--appendonly', 'yes', '--appendfsync', 'always', '--save', ''];
const NOT_INSTALLED = 'redis-server is not installed: apt-get install redis-server';

/** One server for a test file. Where the program is missing, the tests are skipped, or fail if DEVS_REQUIRE_REDIS=1. */
export function useScratchRedis(extraArgs: readonly string[] = []): () => ScratchRedis {
  let server: ScratchRedis | undefined;
  beforeAll(async () => {
    const isInstalled = spawnSync('redis-server', ['--version']).status === 0;
    if (isInstalled) server = await startScratchRedis(extraArgs);
    else if (process.env['DEVS_REQUIRE_REDIS'] === '1') throw new Error(NOT_INSTALLED);
  });
  beforeEach((context) => {
    if (server === undefined) context.skip(NOT_INSTALLED);
  });
  afterAll(() => server?.stop());
  return () => {
    if (server === undefined) throw new Error(NOT_INSTALLED);
    return server;
  };
}

export async function startScratchRedis(extraArgs: readonly string[] = []): Promise<ScratchRedis> {
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
  const server: ScratchRedis = {
    port,
    url: `redis://127.0.0.1:${port}`,
    folder,
    kill,
    async start() {
      child = spawn('redis-server', [...place, ...DURABLE, ...extraArgs], { stdio: 'ignore' });
      await once(child, 'spawn');
      await answers(port, child);
    },
    command: (name, ...args) => sendCommand(port, name, args),
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

async function sendCommand(port: number, name: string, args: readonly string[]): Promise<unknown> {
  const redis = new Redis({ port, host: '127.0.0.1', lazyConnect: true, retryStrategy: () => null });
  redis.on('error', () => {});
  try {
    return await redis.call(name, ...args);
  } finally {
    redis.disconnect();
  }
}

/** It answers when it has read its files, be it to say that it wants a password. */
async function answers(port: number, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    const answer = await sendCommand(port, 'PING', []).catch((error: Error) => error.message);
    if (answer === 'PONG' || /NOAUTH/.test(String(answer))) return;
    await sleep(10);
  }
  throw new Error(`redis-server ended with ${child.exitCode}`);
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
