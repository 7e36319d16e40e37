import { isRedisInstalled, REDIS_NOT_INSTALLED, type RedisServer, startRedisServer } from '@devs/core/testing';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach } from 'vitest';

/** A real server for the tests of a file, which skip with a reason where none is installed. */
export function useRedis() {
  let server: RedisServer | undefined;
  let client: Redis | undefined;

  beforeAll(async () => {
    if (!isRedisInstalled()) return;
    server = await startRedisServer();
    client = new Redis({ port: server.port, host: '127.0.0.1', maxRetriesPerRequest: null });
  });
  beforeEach((context) => {
    if (server === undefined) context.skip(REDIS_NOT_INSTALLED);
  });
  afterAll(async () => {
    client?.disconnect();
    await server?.stop();
  });

  return {
    url: () => server?.url ?? '',
    /** A command that answers with a list of texts. */
    async command(name: string, ...args: readonly string[]): Promise<readonly string[]> {
      const answer = await client?.call(name, ...args);
      return Array.isArray(answer) ? answer.map(String) : [];
    },
  };
}
