import type { TaskPage, TaskQuery } from './store-backend.js';

export const TASK_STATUSES = ['pending', 'in_progress', 'blocked', 'done', 'failed'] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

export interface NewTask {
  readonly id: string;
  /** The work, in one line. */
  readonly intent: string;
  readonly description?: string;
  readonly depends_on?: readonly string[];
  /** Higher comes first. Default: 0. */
  readonly priority?: number;
  /** Why it must not begin before it is unblocked. */
  readonly blocked?: string;
  /** The commit that its work begins at, on a store that several machines share. */
  readonly base?: string;
  /** Labels and agents that a machine must have for it. */
  readonly needs?: readonly string[];
}

/** Changes by the user to a task before it is started. Missing fields stay unchanged. */
export interface TaskEdit {
  readonly id: string;
  readonly intent?: string;
  readonly description?: string;
  readonly priority?: number;
}

export interface Lease {
  readonly by: string;
  readonly until: number;
}

/** A task as it is stored. */
export interface TaskRecord {
  readonly id: string;
  readonly intent: string;
  readonly description?: string;
  readonly depends_on: readonly string[];
  /** The dependencies that are not done yet. */
  readonly open_dependencies: readonly string[];
  readonly priority: number;
  readonly base?: string;
  /** Sorted, each once. */
  readonly needs?: readonly string[];
  readonly status: TaskStatus;
  /** Grows by one with each claim. A writer with an older number is refused. */
  readonly fence: number;
  readonly lease?: Lease;
  readonly result?: string;
  /** Why it is blocked or has failed. */
  readonly reason?: string;
  readonly added_at: number;
  readonly finished_at?: number;
  /** How many events the task's own stream holds. */
  readonly version: number;
}

export interface ClaimRequest {
  readonly by: string;
  readonly leaseMs: number;
  /** Claims this task. Default: the next startable task. */
  readonly id?: string;
  /** With `id`: also where it is in progress or blocked, as long as this is still the number of its last claim. */
  readonly after?: number;
  /** Without `id`: only a task that needs no other labels than these. Default: any task. */
  readonly labels?: readonly string[];
}

/** `fence` is the number of the claim that the caller holds; without it the user acts, who needs no claim. */
export interface Held {
  readonly id: string;
  readonly fence?: number;
}

export type TaskRefusal =
  | 'unknown' // there is no such task
  | 'stale' // another worker has claimed it since
  | 'wrong-status' // the request does not fit the task's status
  | 'waiting'; // it depends on tasks that are not done

export interface RefusedTask {
  readonly status: 'refused';
  readonly reason: TaskRefusal;
  /** For people: the problem and the remedy. */
  readonly message: string;
}

export type TaskOutcome = { readonly status: 'ok'; readonly task: TaskRecord } | RefusedTask;

export type ClaimOutcome =
  | { readonly status: 'claimed'; readonly task: TaskRecord; readonly fence: number }
  | { readonly status: 'nothing-to-do' }
  | RefusedTask;

/**
 * Work to do, and who does it.
 *
 * Contract: a task is never lost and never held twice. A claim holds it for a lease; when the lease ends without a
 * heartbeat, or its holder is known to be gone, `expire` (called by `claim`) gives the task back. Every claim has a
 * higher fence than the one before, and a writer with an old fence is refused as `stale`. Bad input is refused with
 * `StoreInputError`.
 */
export interface TaskQueue {
  /** All or none. Dependencies may be on tasks in the same call, and must not form a circle. */
  add(tasks: readonly NewTask[]): Promise<readonly TaskRecord[]>;
  claim(request: ClaimRequest): Promise<ClaimOutcome>;
  heartbeat(held: Required<Held> & { readonly leaseMs: number }): Promise<'renewed' | 'lost'>;
  complete(held: Held & { readonly result?: string }): Promise<TaskOutcome>;
  fail(held: Held & { readonly reason: string }): Promise<TaskOutcome>;
  block(held: Held & { readonly reason: string }): Promise<TaskOutcome>;
  unblock(id: string): Promise<TaskOutcome>;
  /** Back to pending, as if it had not been claimed. */
  release(held: Held): Promise<TaskOutcome>;
  /** A failed or done task becomes pending again. */
  retry(id: string): Promise<TaskOutcome>;
  /** Changes the words or the priority of a task that is not in progress. */
  edit(edit: TaskEdit): Promise<TaskOutcome>;
  remove(id: string): Promise<TaskOutcome>;
  /** Releases tasks beyond their lease or of a dead holder; returns the ids. */
  expire(): Promise<readonly string[]>;
  /** Pending tasks without open dependencies: the highest priority first, then the oldest. */
  startable(limit: number): Promise<readonly TaskRecord[]>;
  /** Tasks that depend on this one and could begin now. */
  freedBy(id: string): Promise<readonly TaskRecord[]>;
  get(id: string): Promise<TaskRecord | undefined>;
  list(query: TaskQuery): Promise<TaskPage>;
}
