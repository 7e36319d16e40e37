import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';

/** A Lua script: Redis runs it whole, with nothing else in between. */
export interface RedisScript {
  readonly lua: string;
  readonly sha: string;
}

export const defineScript = (lua: string): RedisScript => ({ lua, sha: createHash('sha1').update(lua).digest('hex') });

/** `KEYS[1]` is what all keys begin with. A server that was restarted has forgotten its scripts and is told again. */
export async function runScript(
  redis: Redis,
  { lua, sha }: RedisScript,
  { keyPrefix, args }: { readonly keyPrefix: string; readonly args: readonly (string | number)[] },
): Promise<unknown> {
  try {
    return await redis.evalsha(sha, 1, keyPrefix, ...args);
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
    return redis.eval(lua, 1, keyPrefix, ...args);
  }
}
