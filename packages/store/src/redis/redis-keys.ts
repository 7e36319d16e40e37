import { describeAddress, parseRedisUrl } from './parse-redis-url.js';
import { connectRedis, type RedisConnection } from './redis-connection.js';

export interface RedisKeys {
  /** The server, without user and password. */
  readonly where: string;
  /** What every key of the store begins with, and no key of another store. */
  readonly prefix: string;
  readonly count: number;
}

const OPEN_MS = 5_000;
/** Keys scanned per call before the server serves other clients. */
const SCANNED_AT_ONCE = 1_000;

/** Keys of the store at this address. Rejects with `StoreUnavailableError` when the server cannot be reached. */
export const findRedisKeys = (url: string): Promise<RedisKeys> =>
  withKeys(url, async (pages) => {
    const keys = new Set<string>(); // a scan may come by the same key twice
    for await (const page of pages) for (const key of page) keys.add(key);
    return keys.size;
  });

/**
 * Removes every key of the store, and no other; `count` is the number of removed keys. A concurrent writer may leave
 * keys behind; a second call removes them.
 */
export const removeRedisKeys = (url: string): Promise<RedisKeys> =>
  withKeys(url, async (pages, connection) => {
    let removed = 0;
    for await (const page of pages) {
      if (page.length > 0) removed += await connection.run((redis) => redis.unlink(...page));
    }
    return removed;
  });

type Pages = AsyncIterable<readonly string[]>;

async function withKeys(
  url: string,
  count: (pages: Pages, connection: RedisConnection) => Promise<number>,
): Promise<RedisKeys> {
  const address = parseRedisUrl(url);
  const { keyPrefix } = address;
  const connection = connectRedis(address, { waitMs: OPEN_MS });
  try {
    const found = await count(scan(connection, keyPrefix), connection);
    return { where: describeAddress(address), prefix: keyPrefix, count: found };
  } finally {
    await connection.close();
  }
}

async function* scan(connection: RedisConnection, prefix: string): Pages {
  let cursor = '0';
  do {
    const from = cursor;
    const [next, keys] = await connection.run((redis) =>
      redis.scan(from, 'MATCH', `${prefix}*`, 'COUNT', SCANNED_AT_ONCE),
    );
    // The pattern saves network traffic; this comparison decides which keys are ours.
    yield keys.filter((key) => key.startsWith(prefix));
    cursor = next;
  } while (cursor !== '0');
}
