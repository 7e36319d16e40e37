import { setTimeout as sleep } from 'node:timers/promises';
import { StoreUnavailableError } from '@devs/core';
import { Redis } from 'ioredis';
import { classifyRedisError, explainRedisError } from './explain-redis-error.js';
import { describeAddress, type RedisAddress } from './parse-redis-url.js';

export interface RedisConnection {
  /**
   * Does something with the server, again and again while the connection comes and goes: it must not matter whether it
   * happens once or twice. Rejects with `StoreUnavailableError` only.
   */
  run<T>(operation: (redis: Redis) => Promise<T>, waitMs?: number): Promise<T>;
  close(): Promise<void>;
}

export interface ConnectionOptions {
  /** How long to wait for a server that has gone away. */
  readonly waitMs: number;
  /** The certificate of the authority to trust, for `rediss://`. Default: those that Node trusts. */
  readonly ca?: string;
}

const RETRY_MS = 20;
const MAX_RECONNECT_PAUSE_MS = 500;
/** A server that owes an answer for this long is taken for dead. */
const SILENCE_MS = 10_000;
const CLOSING_MS = 2_000;

export function connectRedis(address: RedisAddress, { waitMs: usualWaitMs, ca }: ConnectionOptions): RedisConnection {
  const redis = createClient(address, { waitMs: usualWaitMs, ...(ca !== undefined && { ca }) });
  const readiness = new Readiness(redis, address);
  const silence = createSilenceWatch(() => redis.disconnect(true));
  let isClosed = false;
  const closedError = () => new StoreUnavailableError(`the connection to ${describeAddress(address)} was closed`);

  return {
    async run(operation, waitMs = usualWaitMs) {
      const deadline = Date.now() + waitMs;
      for (;;) {
        if (isClosed) throw closedError();
        if (redis.status !== 'ready') await readiness.wait(deadline);
        silence.asked();
        try {
          const answer = await operation(redis);
          silence.answered();
          return answer;
        } catch (error) {
          silence.answered();
          if (isClosed) throw closedError();
          if (classifyRedisError(error, { isFirst: false }) === 'refused') throw explainRedisError(error, address);
          if (Date.now() >= deadline) throw explainRedisError(error, address);
          await sleep(RETRY_MS);
        }
      }
    },

    async close() {
      if (isClosed) return;
      isClosed = true;
      silence.end();
      readiness.end(closedError());
      if (redis.status === 'ready') await quit(redis);
      redis.disconnect();
    },
  };
}

/** Those who wait for a server that is not there yet, or not any more. */
class Readiness {
  private readonly waiting = new Set<{ resolve(): void; reject(error: Error): void }>();
  private wasReady = false;
  private lastError: unknown = new Error('no answer');

  constructor(
    private readonly redis: Redis,
    private readonly address: RedisAddress,
  ) {
    redis.on('ready', () => {
      this.wasReady = true;
      for (const waiter of [...this.waiting]) waiter.resolve();
    });
    redis.on('error', (error) => {
      this.lastError = error;
      if (classifyRedisError(error, { isFirst: !this.wasReady }) !== 'refused') return;
      // ioredis would continue in database 0, which is not ours.
      if (/DB index/.test(String(error))) redis.disconnect();
      this.end(explainRedisError(error, address));
    });
  }

  wait(deadline: number): Promise<void> {
    const { redis, waiting } = this;
    const noAnswer = () => explainRedisError(this.lastError, this.address);
    return new Promise((resolve, reject) => {
      if (redis.status === 'ready') return resolve();
      if (redis.status === 'end') return reject(noAnswer());
      const settle = (finish: () => void) => {
        clearTimeout(timer);
        waiting.delete(waiter);
        finish();
      };
      const waiter = { resolve: () => settle(resolve), reject: (error: Error) => settle(() => reject(error)) };
      const timer = setTimeout(() => waiter.reject(noAnswer()), Math.max(0, deadline - Date.now()));
      waiting.add(waiter);
    });
  }

  end(error: Error): void {
    for (const waiter of [...this.waiting]) waiter.reject(error);
  }
}

/**
 * Drops a connection with an overdue answer, and every command waiting on it. One timer for all answers: a timer for
 * each would cost as much as the rest of a short operation.
 */
function createSilenceWatch(giveUp: () => void) {
  let owed = 0;
  let lastHeard = 0;
  let timer: NodeJS.Timeout | undefined;
  const look = () => {
    timer = undefined;
    if (owed === 0) return;
    const silentMs = performance.now() - lastHeard;
    if (silentMs >= SILENCE_MS) giveUp();
    else arm(SILENCE_MS - silentMs);
  };
  const arm = (ms: number) => {
    timer ??= setTimeout(look, ms).unref(); // the connection itself keeps a process that waits
  };
  return {
    asked() {
      if (owed++ === 0) lastHeard = performance.now();
      arm(SILENCE_MS);
    },
    answered() {
      owed--;
      lastHeard = performance.now();
    },
    end: () => clearTimeout(timer),
  };
}

function createClient(
  { host, port, username, password, db, isTls }: RedisAddress,
  { waitMs, ca }: ConnectionOptions,
): Redis {
  return new Redis({
    host,
    port,
    db,
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...(isTls && { tls: ca === undefined ? {} : { ca } }),
    connectTimeout: Math.min(SILENCE_MS, waitMs),
    keepAlive: SILENCE_MS,
    retryStrategy: (attempt) => Math.min(attempt * RETRY_MS, MAX_RECONNECT_PAUSE_MS),
    // Commands in flight on a broken connection are rejected at once; `run` repeats them and knows when to stop.
    maxRetriesPerRequest: 0,
    enableOfflineQueue: false,
    disableClientInfo: true, // Redis 7.0 does not know it, and would count it as an error
  });
}

/** The server answers to it after all that was sent before. */
async function quit(redis: Redis): Promise<void> {
  const patience = new AbortController();
  const isEnough = sleep(CLOSING_MS, undefined, { signal: patience.signal });
  await Promise.race([redis.quit(), isEnough]).catch(() => {});
  patience.abort();
  await isEnough.catch(() => {});
}
