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
  /** Of the log. */
  readonly lastPosition: () => Promise<number>;
}

interface Waiter {
  readonly after: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Long enough to cost nothing, short enough to notice a connection that died, or a server that was emptied. */
const BLOCK_MS = 1_000;

export function createRedisWatcher(deps: WatcherDeps): RedisWatcher {
  const log = new LogNews(deps);
  return {
    async changed({ after, stream }, signal) {
      if (stream === undefined) return log.news(after, signal);
      const enough = new AbortController();
      // Starts waiting before it looks: everything stored in between comes after what it saw.
      const woken = log.news(log.seen, AbortSignal.any([signal, enough.signal]));
      const look = async () => {
        let last = Number.POSITIVE_INFINITY; // who cannot look does not wait either
        try {
          last = await deps.lastOf(stream);
        } finally {
          if (last > after) enough.abort();
        }
      };
      await Promise.all([woken, look()]);
    },
    close: () => log.close(),
  };
}

/**
 * One blocking read for all waiters, on its own connection, opened for the first of them.
 *
 * The server is asked for entries after the last position that *it* reported: a caller may wait behind a position that
 * does not exist yet.
 */
class LogNews {
  seen = 0;
  private readonly waiters = new Set<Waiter>();
  private connection: RedisConnection | undefined;
  private isWatching = false;
  private isClosed = false;

  constructor(private readonly deps: WatcherDeps) {}

  /** Resolves when the log has an event behind that position. */
  news(after: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted || this.isClosed || after < this.seen) return Promise.resolve();
    return new Promise<void>((resolve, reject) => {
      const settle = (finish: () => void) => {
        this.waiters.delete(waiter);
        signal.removeEventListener('abort', waiter.resolve);
        finish();
      };
      const waiter: Waiter = {
        after,
        resolve: () => settle(resolve),
        reject: (error) => settle(() => reject(error)),
      };
      this.waiters.add(waiter);
      signal.addEventListener('abort', waiter.resolve, { once: true });
      this.startWatching();
    });
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.wake();
    await this.connection?.close();
  }

  private wake(): void {
    for (const waiter of [...this.waiters]) if (this.isClosed || waiter.after < this.seen) waiter.resolve();
  }

  private startWatching(): void {
    if (this.isWatching) return;
    this.isWatching = true;
    this.watch()
      .catch((error: unknown) => {
        for (const waiter of [...this.waiters]) waiter.reject(error);
      })
      .finally(() => {
        this.isWatching = false;
        if (this.waiters.size > 0) this.startWatching(); // a waiter arrived while the last answer was on its way
      });
  }

  private async watch(): Promise<void> {
    const key = `${this.deps.keyPrefix}log`;
    this.connection ??= this.deps.connect();
    const { connection } = this;
    while (this.waiters.size > 0 && !this.isClosed) {
      const after = `${this.seen}-0`;
      const news = await connection.run((redis) => redis.xread('COUNT', 1, 'BLOCK', BLOCK_MS, 'STREAMS', key, after));
      if (news === null) {
        await this.deps.checkStore();
        continue;
      }
      this.seen = Number.parseInt(news[0]?.[1][0]?.[0] ?? '', 10) || this.seen + 1;
      this.wake();
      if (this.waiters.size === 0) return;
      this.seen = await this.deps.lastPosition();
      this.wake();
    }
  }
}
