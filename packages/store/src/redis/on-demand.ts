import type * as Checks from './check-redis.js';
import type * as Backend from './create-redis-backend.js';
import type * as Keys from './redis-keys.js';

// The client of Redis takes longer to load than all the rest, and most projects never need it.

export const openRedisBackend: typeof Backend.openRedisBackend = async (options) =>
  (await import('./create-redis-backend.js')).openRedisBackend(options);

export const checkRedis: typeof Checks.checkRedis = async (url, options) =>
  (await import('./check-redis.js')).checkRedis(url, options);

export const findRedisKeys: typeof Keys.findRedisKeys = async (url) =>
  (await import('./redis-keys.js')).findRedisKeys(url);

export const removeRedisKeys: typeof Keys.removeRedisKeys = async (url) =>
  (await import('./redis-keys.js')).removeRedisKeys(url);
