import { createLeases } from '../leases/create-leases.js';
import type { EventLog } from '../ports/event-log.js';
import type { Leases } from '../ports/leases.js';
import type { StoreBackend } from '../ports/store-backend.js';
import type { TaskQueue } from '../ports/task-queue.js';
import { readSupervisorState } from '../supervisor-state/read-supervisor-state.js';
import type { SupervisorState } from '../supervisor-state/supervisor-state.js';
import { createTaskQueue } from '../task-queue/create-task-queue.js';
import { createEventLog, type StoreDeps } from './create-event-log.js';
import { createRunHandoffs, type RunHandoffs } from './run-handoffs.js';

export type Snapshots = Pick<StoreBackend, 'loadSnapshot' | 'saveSnapshot'>;

/** Everything devs remembers, over one backend. */
export interface Store {
  /** Identifies this store. See `StoreBackend`. */
  id(): Promise<string>;
  readonly log: EventLog;
  readonly tasks: TaskQueue;
  readonly leases: Leases;
  readonly handoffs: RunHandoffs;
  /** Caches of folds over the log. */
  readonly snapshots: Snapshots;
  state(): Promise<SupervisorState>;
  close(): Promise<void>;
}

export const openStore = (deps: StoreDeps): Store => ({
  id: () => deps.backend.id(),
  log: createEventLog(deps),
  tasks: createTaskQueue(deps),
  leases: createLeases(deps),
  handoffs: createRunHandoffs(deps.backend),
  snapshots: deps.backend,
  state: () => readSupervisorState(deps.backend),
  close: () => deps.backend.close(),
});
