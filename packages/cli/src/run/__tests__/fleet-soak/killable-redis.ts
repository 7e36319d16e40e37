import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { freePort } from '../../../__tests__/redis-server.js';

export const NO_REDIS = 'redis-server is not installed: apt-get install redis-server';

export const hasRedis = (): boolean => spawnSync('redis-server', ['--version']).status === 0;

/** A durable server on one port, which can be killed and started again. */
export async function startKillableRedis(folder: string) {
  const port = await freePort();
  let server: ChildProcess | undefined;
  const start = () => {
    const place = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', ''];
    server = spawn('redis-server', [...place, '--appendonly', 'yes', '--appendfsync', 'always'], { stdio: 'ignore' });
  };
  const kill = async () => {
    if (server === undefined) return;
    const ended = once(server, 'exit');
    server.kill('SIGKILL');
    await ended;
    server = undefined;
  };
  start();
  onTestFinished(kill);
  return {
    address: `redis://127.0.0.1:${port}?prefix=soak`,
    start,
    kill,
    /** The memory of everything below the prefix. */
    async bytes(): Promise<number> {
      const script = `local n = 0 for _, key in ipairs(redis.call('KEYS', '*')) do n = n + redis.call('MEMORY', 'USAGE', key, 'SAMPLES', 0) end return n`;
      return Number((await command(port, ['EVAL', script, '0'])).replace(/^:/, ''));
    },
    /** Deletes every key below a pattern; the number of them. */
    async deleteKeys(pattern: string): Promise<number> {
      const script = `local k = redis.call('KEYS', '${pattern}') for _, key in ipairs(k) do redis.call('DEL', key) end return #k`;
      return Number((await command(port, ['EVAL', script, '0'])).replace(/^:/, ''));
    },
  };
}

async function command(port: number, words: readonly string[]): Promise<string> {
  const socket = await connected(port);
  socket.write(`*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')}`);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  return answer.toString().trim();
}

/** Waits for a server that is being started. */
async function connected(port: number): Promise<Socket> {
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    const isThere = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    if (isThere) return socket;
    await pause(100);
  }
}
