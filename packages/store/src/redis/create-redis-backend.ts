import { randomBytes } from 'node:crypto';
import type { LeaseRecord } from '@devs/core';
import { believed, ForeignStoreError, type StoreBackend, type StoredEvent, StoreUnavailableError } from '@devs/core';
import { parseEventData, parseSnapshotState } from '../parse-stored.js';
import { storeReplaced } from './explain-redis-error.js';
import { createCommitGroups } from './group-commits.js';
import { describeAddress, parseRedisUrl, type RedisAddress } from './parse-redis-url.js';
import { lastPositionScript, loadLeaseScript, readStreamScript, streamVersionScript } from './read-scripts.js';
import { connectRedis, type RedisConnection } from './redis-connection.js';
import { checkStoreScript, openStoreScript, runScript } from './redis-script.js';
import { createTaskReads, type Evaluate } from './redis-tasks.js';
import { createRedisWatcher } from './redis-watcher.js';
import { compactScript, trimScript } from './trim-scripts.js';
import { renewLeaseScript, saveSnapshotScript, swapLeaseScript } from './write-scripts.js';

export interface RedisBackendOptions {
  /** `redis://[user:password@]host[:port][/database][?prefix=devs:]`, or `rediss://` for TLS. */
  readonly url: string;
  /** Key prefix, instead of the address' `prefix`. */
  readonly keyPrefix?: string;
  /** How long to wait for a server that has gone away before giving up. Default: 30 s. */
  readonly waitMs?: number;
  /** How long to wait for the first connection. Default: 5 s. */
  readonly openMs?: number;
  /** The certificate of the authority that `rediss://` should trust. Default: those that Node trusts. */
  readonly ca?: string;
  /** The id of the store that the caller knows. Rejects with `StoreReplacedError` where another is there. Default: any. */
  readonly expectedId?: string;
  /** Whose clock leases are measured by. Default: the server's, which is the same for all machines. */
  readonly leaseClock?: 'server' | 'caller';
  /**
   * The repository that the caller works in: a store belongs to the first that opens it. Rejects with `ForeignStoreError` where it is
   * another's. Default: any.
   */
  readonly repository?: string;
  /** What that repository was called before it had its first commit. */
  readonly formerly?: string;
}

const OLDEST_MAJOR = 7;
/** Others wait no longer than for a large commit. */
const COPIED_AT_ONCE = 2_000;

/** Everything devs remembers in a Redis 7 or newer, which several machines may share. */
export async function openRedisBackend(options: RedisBackendOptions): Promise<StoreBackend> {
  const { url, waitMs = 30_000, openMs = 5_000, ca, expectedId = '', leaseClock = 'server' } = options;
  const { repository = '', formerly = '' } = options;
  const address = parseRedisUrl(url, options.keyPrefix);
  const connect = () => connectRedis(address, { waitMs, ...(ca !== undefined && { ca }) });
  const connection = connect();
  try {
    checkServer(await connection.run((redis) => redis.info(), openMs), address);
    const { keyPrefix } = address;
    const args = [expectedId, randomBytes(16).toString('hex'), repository, formerly];
    const answer = await connection.run((redis) => runScript(redis, openStoreScript, { keyPrefix, args }), openMs);
    const [id = '', owner = ''] = answer as readonly string[];
    if (id === '' || (expectedId !== '' && id !== expectedId)) throw storeReplaced(address);
    if (repository !== '' && owner !== repository) throw new ForeignStoreError(owner);
    return createRedisBackend({ connection, connect, keyPrefix, id, leaseClock });
  } catch (error) {
    await connection.close();
    throw error;
  }
}

function checkServer(info: string, address: RedisAddress): void {
  const where = `Redis at ${describeAddress(address)}`;
  const version = /^redis_version:(\S+)/m.exec(info)?.[1] ?? 'unknown';
  if (!(Number.parseInt(version, 10) >= OLDEST_MAJOR)) {
    throw new StoreUnavailableError(`${where} is version ${version}; devs needs ${OLDEST_MAJOR} or newer`);
  }
  if (/^role:slave/m.test(info)) {
    throw new StoreUnavailableError(`${where} is a read-only replica; give the address of its primary`);
  }
}

interface BackendDeps {
  readonly connection: RedisConnection;
  readonly connect: () => RedisConnection;
  readonly keyPrefix: string;
  readonly id: string;
  readonly leaseClock: 'server' | 'caller';
}

function createRedisBackend({ connection, connect, keyPrefix, id, leaseClock }: BackendDeps): StoreBackend {
  const evaluate: Evaluate = (script, args) =>
    connection.run((redis) => runScript(redis, script, { keyPrefix, args: [...args, id] }));
  const checkStore = async () => void (await evaluate(checkStoreScript, []));
  const lastOf = async (stream: string) => {
    const [last] = await connection.run((redis) =>
      redis.xrevrange(`${keyPrefix}stream:${stream}`, '+', '-', 'COUNT', 1),
    );
    return Number.parseInt(last?.[0] ?? '0', 10);
  };
  const lastPosition = async () => Number(await evaluate(lastPositionScript, []));
  const watcher = createRedisWatcher({ connect, keyPrefix, checkStore, lastOf, lastPosition });
  return {
    isShared: true,
    id: async () => id,
    ...createTaskReads(evaluate),
    ...createLeaseRecords(evaluate),

    commit: createCommitGroups(evaluate),

    async read({ after, limit, stream }) {
      if (limit < 1) return [];
      const behind = `${Math.max(0, after)}-0`;
      const entries = await (stream === undefined
        ? connection.run((redis) => redis.xrange(`${keyPrefix}log`, `(${behind}`, '+', 'COUNT', limit))
        : evaluate(readStreamScript, [stream, behind, limit]));
      return (entries as readonly LogEntry[]).map(parseEvent);
    },

    version: async (stream) => Number(await evaluate(streamVersionScript, [stream])),
    changed: watcher.changed,

    async leaseTime(caller) {
      if (leaseClock === 'caller') return caller.now();
      const [seconds, microseconds] = await connection.run((redis) => redis.time());
      return Number(seconds) * 1_000 + Math.floor(Number(microseconds) / 1_000);
    },

    async renewLease({ id, fence, until }) {
      return (await evaluate(renewLeaseScript, [id, fence, until])) === 1;
    },

    async loadSnapshot(name) {
      const key = `${keyPrefix}snapshot:${name}`;
      const [position, state] = await connection.run((redis) => redis.hmget(key, 'position', 'state'));
      if (typeof position !== 'string' || typeof state !== 'string') return undefined;
      const parsed = parseSnapshotState(state);
      return parsed && { position: Number(position), state: parsed };
    },

    async saveSnapshot(name, { position, state }) {
      await evaluate(saveSnapshotScript, [name, position, JSON.stringify(state)]);
    },

    async trim({ streams, snapshots }) {
      const named = streams.flatMap(({ stream, version }) => [stream, version]);
      return Number(await evaluate(trimScript, [streams.length, ...named, ...snapshots]));
    },

    async compact() {
      while ((await evaluate(compactScript, [COPIED_AT_ONCE])) === 1);
    },

    async close() {
      await Promise.all([watcher.close(), connection.close()]);
    },
  };
}

type LogEntry = readonly [id: string, fields: readonly string[]];

function parseEvent([id, fields]: LogEntry): StoredEvent {
  const position = Number.parseInt(id, 10);
  const event = parseEventData(fields[1] ?? '', { position, stream: 'its stream is unknown' });
  return { ...believed<Omit<StoredEvent, 'position'>>(event), position };
}

/** Named leases, one hash each. They never expire in Redis: the next fence follows from the last. */
const createLeaseRecords = (evaluate: Evaluate): Pick<StoreBackend, 'loadLease' | 'swapLease'> => ({
  async loadLease(name) {
    const record = await evaluate(loadLeaseScript, [name]);
    return typeof record === 'string' ? (JSON.parse(record) as LeaseRecord) : undefined;
  },

  async swapLease({ expectedRevision = '', after }) {
    const args = [after.name, expectedRevision, after.revision, JSON.stringify(after)];
    return (await evaluate(swapLeaseScript, args)) === 1;
  },
});
