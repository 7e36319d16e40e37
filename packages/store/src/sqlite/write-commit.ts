import type { Commit, CommitResult } from '@devs/core';
import type { EventRows } from './event-rows.js';
import type { Sql } from './sql.js';
import type { StoreId } from './store-id.js';
import type { TaskRows } from './task-rows.js';

/** A repeated commit is recognised within this many events of a stream. Repeats follow at once. */
const KNOWN_AGAIN_EVENTS = 10_000;

interface Rows {
  readonly storeId: StoreId;
  readonly events: EventRows;
  readonly tasks: TaskRows;
}

/** One commit, one transaction, one fsync. */
export function createCommitWriter(sql: Sql, { storeId, events, tasks }: Rows) {
  function write(commit: Commit): CommitResult {
    storeId.check();
    for (const { stream, expectedVersion } of commit.streams) {
      const version = events.version(stream);
      if (version !== expectedVersion) {
        return storedBefore(commit, events) ?? { committed: false, stream, version };
      }
    }
    if (commit.lease !== undefined && tasks.leaseEnd(commit.lease.id) !== commit.lease.until) {
      const stream = `task:${commit.lease.id}`;
      return { committed: false, stream, version: events.version(stream) };
    }
    const position = insertEvents(commit, events) ?? events.lastPosition();
    for (const change of commit.tasks) tasks.write(change);
    return { committed: true, position };
  }

  return (commit: Commit): CommitResult => {
    const position = appendAlone(commit, events, storeId);
    return position === undefined ? sql.transaction(() => write(commit)) : { committed: true, position };
  };
}

/**
 * Most commits are one event, which needs one statement and no explicit transaction. A conflict takes the slow path.
 */
function appendAlone(commit: Commit, events: EventRows, { value }: StoreId): number | undefined {
  const { id, at, streams, tasks, lease } = commit;
  const [first, ...others] = streams;
  const [event, ...more] = first?.events ?? [];
  const isAlone = others.length + more.length + tasks.length === 0 && lease === undefined;
  if (first === undefined || event === undefined || !isAlone) return undefined;
  const { stream, expectedVersion } = first;
  const { type, data } = event;
  return events.append({ stream, version: expectedVersion + 1, at, type, data, commitId: id }, value);
}

/** Returns the position of the last one. */
function insertEvents({ id, at, streams }: Commit, events: EventRows): number | undefined {
  let position: number | undefined;
  for (const { stream, expectedVersion, events: added } of streams) {
    let version = expectedVersion;
    for (const event of added) {
      const commitId = version === expectedVersion ? id : null;
      version++;
      position = events.insert({ stream, version, at, type: event.type, data: event.data, commitId });
    }
  }
  return position;
}

/** A stored commit finds its first event where it would put it now. Its events are consecutive. */
function storedBefore({ id, streams }: Commit, events: EventRows): CommitResult | undefined {
  const first = streams.find(({ events: added }) => added.length > 0);
  if (first === undefined) return undefined;
  const distance = events.version(first.stream) - (first.expectedVersion + 1);
  if (distance < 0 || distance > KNOWN_AGAIN_EVENTS) return undefined;
  const found = events.fromEnd(first.stream, distance);
  if (found?.commitId !== id) return undefined;
  const count = streams.reduce((total, { events: added }) => total + added.length, 0);
  return { committed: true, position: found.position + count - 1 };
}
