import { askRedis, startRedisServer } from '@devs/core/testing';
import { onTestFinished } from 'vitest';

/** A durable server on one port, which can be killed and started again. */
export async function startKillableRedis() {
  const server = await startRedisServer();
  const { port, start, kill } = server;
  onTestFinished(() => server.stop());
  return {
    address: `${server.url}?prefix=soak`,
    start,
    kill,
    /** The memory of everything below the prefix. */
    async bytes(): Promise<number> {
      const script = `local n = 0 for _, key in ipairs(redis.call('KEYS', '*')) do n = n + redis.call('MEMORY', 'USAGE', key, 'SAMPLES', 0) end return n`;
      return Number((await askRedis(port, ['EVAL', script, '0'])).trim().replace(/^:/, ''));
    },
    /** Deletes every key below a pattern; the number of them. */
    async deleteKeys(pattern: string): Promise<number> {
      const script = `local k = redis.call('KEYS', '${pattern}') for _, key in ipairs(k) do redis.call('DEL', key) end return #k`;
      return Number((await askRedis(port, ['EVAL', script, '0'])).trim().replace(/^:/, ''));
    },
  };
}
