import type { ChangeQuery } from '@devs/core';
import type { RedisConnection } from './redis-connection.js';

export interface RedisWatcher {
  /** Resolves when there may be such events, on abort, and when the watcher is closed. */
  changed(query: ChangeQuery, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

interface WatcherDeps {
  readonly connect: () => RedisConnection;
  readonly keyPrefix: string;
  /** Rejects where the store is not there any more: its log would be waited for in vain. */
  readonly checkStore: () => Promise<void>;
  /** The position of the last event of a stream; 0 for none. */
  readonly lastOf: (stream: string) => Promise<number>;
}

interface Waiter {
  readonly after: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Long enough to cost nothing, short enough to notice a connection that died, or a server that was emptied. */
const BLOCK_MS = 1_000;

/**
 * One blocking read for all waiters, on its own connection, opened for the first of them.
 *
 * The server is asked for entries after the last position that *it* reported: a caller may wait behind a position that
 * does not exist yet.
 */
export function createRedisWatcher({ connect, keyPrefix, checkStore, lastOf }: WatcherDeps): RedisWatcher {
  const waiters = new Set<Waiter>();
  let connection: RedisConnection | undefined;
  let isWatching = false;
  let isClosed = false;
  let seen = 0;

  const wake = () => {
    for (const waiter of [...waiters]) if (isClosed || waiter.after < seen) waiter.resolve();
  };

  async function watch(): Promise<void> {
    connection ??= connect();
    while (waiters.size > 0 && !isClosed) {
      const news = await connection.run((redis) =>
        redis.xread('COUNT', 1, 'BLOCK', BLOCK_MS, 'STREAMS', `${keyPrefix}log`, `${seen}-0`),
      );
      if (news === null) {
        await checkStore();
        continue;
      }
      seen += 1; // positions have no gaps
      wake();
      if (waiters.size === 0) return;
      seen = await connection.run((redis) => redis.xlen(`${keyPrefix}log`));
      wake();
    }
  }

  function startWatching(): void {
    if (isWatching) return;
    isWatching = true;
    watch()
      .catch((error: unknown) => {
        for (const waiter of [...waiters]) waiter.reject(error);
      })
      .finally(() => {
        isWatching = false;
        if (waiters.size > 0) startWatching(); // a waiter arrived while the last answer was on its way
      });
  }

  /** Resolves when the log has an event behind that position. */
  function news(after: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted || isClosed || after < seen) return Promise.resolve();
    return new Promise<void>((resolve, reject) => {
      const settle = (finish: () => void) => {
        waiters.delete(waiter);
        signal.removeEventListener('abort', waiter.resolve);
        finish();
      };
      const waiter: Waiter = {
        after,
        resolve: () => settle(resolve),
        reject: (error) => settle(() => reject(error)),
      };
      waiters.add(waiter);
      signal.addEventListener('abort', waiter.resolve, { once: true });
      startWatching();
    });
  }

  return {
    async changed({ after, stream }, signal) {
      if (stream === undefined) return news(after, signal);
      const enough = new AbortController();
      // Starts waiting before it looks: everything stored in between comes after what it saw.
      const woken = news(seen, AbortSignal.any([signal, enough.signal]));
      const look = async () => {
        let last = Number.POSITIVE_INFINITY; // who cannot look does not wait either
        try {
          last = await lastOf(stream);
        } finally {
          if (last > after) enough.abort();
        }
      };
      await Promise.all([woken, look()]);
    },

    async close() {
      isClosed = true;
      wake();
      await connection?.close();
    },
  };
}
