import {
  askRedis,
  isRedisInstalled,
  REDIS_NOT_INSTALLED,
  type RedisServer,
  startRedisServer,
} from '@devs/core/testing';
import { afterAll, beforeAll, beforeEach } from 'vitest';

/** A real server for the tests of a file, which skip with a reason where none is installed. */
export function useRedisServer() {
  let server: RedisServer | undefined;
  const running = (): RedisServer => {
    if (server === undefined) throw new Error(REDIS_NOT_INSTALLED);
    return server;
  };
  beforeAll(async () => {
    if (isRedisInstalled()) server = await startRedisServer();
  });
  beforeEach((context) => {
    if (server === undefined) context.skip(REDIS_NOT_INSTALLED);
  });
  afterAll(() => server?.stop());

  return {
    folder: () => running().folder,
    address: () => running().url,
    /** One command as people type it; the answer as the server writes it. */
    command: (line: string) => askRedis(running().port, line.split(' ')),
  };
}
