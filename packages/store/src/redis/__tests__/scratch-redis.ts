import { isRedisInstalled, REDIS_NOT_INSTALLED, type RedisServer, startRedisServer } from '@devs/core/testing';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach } from 'vitest';

export interface ScratchRedis extends RedisServer {
  /** Sends one command, as a user with all rights. */
  command(name: string, ...args: readonly string[]): Promise<unknown>;
}

/** One server for a test file. Where the program is missing, the tests are skipped, or fail if DEVS_REQUIRE_REDIS=1. */
export function useScratchRedis(extraArgs: readonly string[] = []): () => ScratchRedis {
  let server: ScratchRedis | undefined;
  beforeAll(async () => {
    if (isRedisInstalled()) server = await startScratchRedis(extraArgs);
  });
  beforeEach((context) => {
    if (server === undefined) context.skip(REDIS_NOT_INSTALLED);
  });
  afterAll(() => server?.stop());
  return () => {
    if (server === undefined) throw new Error(REDIS_NOT_INSTALLED);
    return server;
  };
}

export async function startScratchRedis(extraArgs: readonly string[] = []): Promise<ScratchRedis> {
  const server = await startRedisServer(extraArgs);
  return { ...server, command: (name, ...args) => sendCommand(server.port, name, args) };
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
