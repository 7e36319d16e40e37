import type { Clock } from './clock.js';
import type { NewEvent, ReadQuery, StoredEvent } from './event-log.js';
import type { JsonObject } from './json.js';
import type { NamedLease } from './leases.js';
import type { TaskRecord, TaskStatus } from './task-queue.js';

/** A change that is stored whole or not at all. */
export interface Commit {
  /** Chosen by the caller. A commit that is sent twice, because the answer was lost, is stored once. */
  readonly id: string;
  readonly at: number;
  readonly streams: readonly StreamAppend[];
  readonly tasks: readonly TaskChange[];
  /** Only while the lease of this task still ends then: a heartbeat, which is no event, comes before its expiry. */
  readonly lease?: { readonly id: string; readonly until: number };
}

export interface StreamAppend {
  readonly stream: string;
  readonly expectedVersion: number;
  readonly events: readonly NewEvent[];
}

/** `before` is the record that the change was decided on, `after` its replacement; `null` for none. */
export interface TaskChange {
  readonly before: TaskRecord | null;
  readonly after: TaskRecord | null;
}

export type CommitResult =
  | { readonly committed: true; readonly position: number }
  | { readonly committed: false; readonly stream: string; readonly version: number };

export interface TaskQuery {
  readonly statuses?: readonly TaskStatus[];
  /** Only tasks whose id or intent holds this text, in any case. */
  readonly text?: string;
  readonly offset?: number;
  readonly limit: number;
}

export interface TaskPage {
  readonly tasks: readonly TaskRecord[];
  readonly total: number;
}

export interface Snapshot {
  /** The last position that the snapshot has taken in. */
  readonly position: number;
  readonly state: JsonObject;
}

export interface ChangeQuery {
  readonly after: number;
  /** Default: of any stream. */
  readonly stream?: string;
}

/** A named lease as it is stored, also when it is over: the next holder's fence follows from it. */
export interface LeaseRecord extends NamedLease {
  /** Changes with every write, chosen by the caller: shows whether anything has changed since. */
  readonly revision: string;
}

export interface LeaseSwap {
  /** Of the record that the change was decided on; `undefined` where there was none. */
  readonly expectedRevision: string | undefined;
  readonly after: LeaseRecord;
}

/** What is removed from a store, since it is kept elsewhere. */
export interface Trim {
  /** Each with the version that it must still have. */
  readonly streams: readonly { readonly stream: string; readonly version: number }[];
  /** By their names. */
  readonly snapshots: readonly string[];
}

/**
 * The database operations behind the event log, the task queue and the leases. An adapter only translates: names are
 * checked, secrets replaced and changes decided before it is called.
 *
 * Contract: `id` is created with the store, never changes, and is the same for everyone who opens the store. A commit
 * that finds a different id in the database, or none, is refused with `StoreReplacedError`: the store was emptied or
 * replaced since it was opened.
 *
 * `commit` is atomic and durable when it resolves. It refuses, and changes nothing, when a stream is not at the
 * expected version, or the lease has a different end. Every call may reject with `StoreUnavailableError`, after the
 * adapter's own retries.
 */
export interface StoreBackend {
  /** Machines of any number, and of the same name, may use it: of their processes nothing is known here. */
  readonly isShared?: true;
  /** 32 hexadecimal digits. */
  id(): Promise<string>;
  commit(commit: Commit): Promise<CommitResult>;
  read(
    query: Required<Pick<ReadQuery, 'after' | 'limit'>> & Pick<ReadQuery, 'stream'>,
  ): Promise<readonly StoredEvent[]>;
  version(stream: string): Promise<number>;
  /** Resolves when there may be such events behind `after` (soon after another process stored them), or on abort. */
  changed(query: ChangeQuery, signal: AbortSignal): Promise<void>;
  loadTasks(ids: readonly string[]): Promise<readonly TaskRecord[]>;
  /** Pending tasks without open dependencies: the highest priority first, then the oldest. */
  claimableTasks(limit: number): Promise<readonly TaskRecord[]>;
  /** Tasks in progress whose lease ended at or before `now`. */
  expiredTasks(now: number, limit: number): Promise<readonly TaskRecord[]>;
  /** Tasks that have this one among their dependencies. */
  dependentsOf(id: string): Promise<readonly TaskRecord[]>;
  /** In the order in which they were added. */
  listTasks(query: TaskQuery): Promise<TaskPage>;
  /** Moves the end of a lease, unless the task has another fence by now. Not an event: it happens every few seconds. */
  renewLease(lease: { readonly id: string; readonly fence: number; readonly until: number }): Promise<boolean>;
  /** The time that leases are measured by: the server's where several machines share one, else that of the caller. */
  leaseTime(caller: Clock): Promise<number>;
  loadLease(name: string): Promise<LeaseRecord | undefined>;
  /**
   * Replaces the record with the expected revision by `after`, atomically; `false`, without a change, if the revision
   * differs. A swap sent twice, because its answer was lost, is `true` both times.
   */
  swapLease(swap: LeaseSwap): Promise<boolean>;
  loadSnapshot(name: string): Promise<Snapshot | undefined>;
  /** Never replaces a newer one. */
  saveSnapshot(name: string, snapshot: Snapshot): Promise<void>;
  /**
   * Removes the events of streams, and snapshots, for good. Positions and versions are counters: they continue as if
   * nothing was removed. A stream that has another version stays, and so does that of the newest event. Answers how many
   * events were removed.
   */
  trim(trim: Trim): Promise<number>;
  /** Gives the room of removed events back to the database, where that is a step of its own. */
  compact(): Promise<void>;
  close(): Promise<void>;
}
