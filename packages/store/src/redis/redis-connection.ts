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
const LONGEST_RECONNECT_PAUSE_MS = 500;
/** A server that owes an answer for this long is taken for dead. */
const SILENCE_MS = 10_000;
const CLOSING_MS = 2_000;

export function connectRedis(address: RedisAddress, { waitMs: usualWaitMs, ca }: ConnectionOptions): RedisConnection {
  const redis = createClient(address, { waitMs: usualWaitMs, ...(ca !== undefined && { ca }) });
  const waiting = new Set<{ resolve(): void; reject(error: Error): void }>();
  let wasReady = false;
  let isClosed = false;
  let lastError: unknown = new Error('no answer');

  redis.on('ready', () => {
    wasReady = true;
    for (const waiter of [...waiting]) waiter.resolve();
  });
  redis.on('error', (error) => {
    lastError = error;
    if (classifyRedisError(error, { isFirst: !wasReady }) !== 'refused') return;
    // ioredis would continue in database 0, which is not ours.
    if (/DB index/.test(String(error))) redis.disconnect();
    for (const waiter of [...waiting]) waiter.reject(explainRedisError(error, address));
  });

  const closedError = () => new StoreUnavailableError(`the connection to ${describeAddress(address)} was closed`);

  const whenReady = (deadline: number) =>
    new Promise<void>((resolve, reject) => {
      if (isClosed) return reject(closedError());
      if (redis.status === 'ready') return resolve();
      if (redis.status === 'end') return reject(explainRedisError(lastError, address));
      const settle = (finish: () => void) => {
        clearTimeout(timer);
        waiting.delete(waiter);
        finish();
      };
      const waiter = {
        resolve: () => settle(resolve),
        reject: (error: Error) => settle(() => reject(error)),
      };
      const timer = setTimeout(
        () => waiter.reject(explainRedisError(lastError, address)),
        Math.max(0, deadline - Date.now()),
      );
      waiting.add(waiter);
    });

  const silence = createSilenceWatch(() => redis.disconnect(true));

  return {
    async run(operation, waitMs = usualWaitMs) {
      const deadline = Date.now() + waitMs;
      for (;;) {
        if (isClosed || redis.status !== 'ready') await whenReady(deadline);
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
      for (const waiter of [...waiting]) waiter.reject(closedError());
      if (redis.status === 'ready') await quit(redis);
      redis.disconnect();
    },
  };
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
    retryStrategy: (attempt) => Math.min(attempt * RETRY_MS, LONGEST_RECONNECT_PAUSE_MS),
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
