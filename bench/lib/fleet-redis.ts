import { startRedisServer } from '@devs/core/testing';
import { Redis } from 'ioredis';

/** A durable server of its own, on a free port of the loopback. */
export async function startDurableRedis(): Promise<{
  readonly url: string;
  readonly redis: Redis;
  stop(): Promise<void>;
}> {
  const server = await startRedisServer();
  const redis = new Redis({ port: server.port, host: '127.0.0.1' });
  return {
    url: server.url,
    redis,
    async stop() {
      redis.disconnect();
      await server.stop();
    },
  };
}
