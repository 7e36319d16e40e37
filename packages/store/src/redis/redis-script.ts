import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';

/** A Lua script: Redis runs it whole, with nothing else in between. */
export interface RedisScript {
  readonly lua: string;
  readonly sha: string;
}

const scriptOf = (lua: string): RedisScript => ({ lua, sha: createHash('sha1').update(lua).digest('hex') });

/** Answer of a script that finds a different store, or none. */
export const REPLACED = 'DEVSREPLACED';

/**
 * A script that first compares the id of its store, passed after its own arguments. An emptied server would otherwise
 * accept a commit as the beginning of a new store, and mistake a missing lease for a stolen one.
 */
export const defineScript = (lua: string): RedisScript =>
  scriptOf(`
if redis.call('GET', KEYS[1] .. 'id') ~= table.remove(ARGV) then
  return redis.error_reply('${REPLACED} the store at this address is another one')
end
${lua}`);

/**
 * ARGV: the id that the caller knows (or ''), a new id, the repository that the caller works in (or ''), its name before (or '').
 * Answers the id of the store, which is made where there is none, and the repository that it belongs to: the first that came.
 */
export const openStoreScript = scriptOf(`
local key, owner = KEYS[1] .. 'id', KEYS[1] .. 'repository'
if ARGV[1] == '' then redis.call('SET', key, ARGV[2], 'NX') end
local id = redis.call('GET', key) or ''
local known = redis.call('GET', owner) or ''
if ARGV[3] == '' or (ARGV[1] ~= '' and id ~= ARGV[1]) then return {id, known} end
if known == '' or known == ARGV[4] then
  redis.call('SET', owner, ARGV[3])
  known = ARGV[3]
end
return {id, known}
`);

/** Succeeds only in the store that was opened. */
export const checkStoreScript = defineScript('return 1');

/** `KEYS[1]` is the key prefix. A restarted server has lost its scripts, which are then loaded again. */
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
