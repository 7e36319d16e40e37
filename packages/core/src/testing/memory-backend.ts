import { StoreReplacedError } from '../errors/store-errors.js';
import type { StoredEvent } from '../ports/event-log.js';
import type {
  ChangeQuery,
  Commit,
  CommitResult,
  LeaseRecord,
  Snapshot,
  StoreBackend,
  Trim,
} from '../ports/store-backend.js';
import type { TaskRecord } from '../ports/task-queue.js';

/** A store in memory. Two stores on the same `MemoryDisk` act as two processes on one database. */
export interface MemoryDisk {
  /** Another one, and the store counts as replaced. */
  id: string;
  readonly events: StoredEvent[];
  readonly tasks: Map<string, TaskRecord>;
  readonly leases: Map<string, LeaseRecord>;
  readonly snapshots: Map<string, Snapshot>;
  /** The versions of streams whose events were removed. */
  readonly trimmed: Map<string, number>;
  readonly commits: Map<string, CommitResult>;
  readonly waiting: Set<() => void>;
}

export const createMemoryDisk = (): MemoryDisk => ({
  id: 'a'.repeat(32),
  events: [],
  tasks: new Map(),
  leases: new Map(),
  snapshots: new Map(),
  trimmed: new Map(),
  commits: new Map(),
  waiting: new Set(),
});

export function createMemoryBackend(disk: MemoryDisk = createMemoryDisk()): StoreBackend {
  const { id } = disk;
  return {
    id: async () => id,
    async commit(commit) {
      if (disk.id !== id) throw new StoreReplacedError('the store in memory was replaced');
      const before = disk.commits.get(commit.id);
      if (before !== undefined) return before;
      const result = store(disk, commit);
      if (result.committed) {
        disk.commits.set(commit.id, result);
        for (const wake of disk.waiting) wake();
      }
      return result;
    },
    version: async (stream) => versionOf(disk, stream),
    ...readsOfEvents(disk),
    ...readsOfTasks(disk),
    ...leasesOn(disk),
    loadSnapshot: async (name) => structuredClone(disk.snapshots.get(name)),
    async saveSnapshot(name, snapshot) {
      if ((disk.snapshots.get(name)?.position ?? -1) < snapshot.position)
        disk.snapshots.set(name, structuredClone(snapshot));
    },
    trim: async (trim) => trimOn(disk, trim),
    compact: async () => {},
    close: async () => {},
  };
}

const versionOf = (disk: MemoryDisk, stream: string): number =>
  disk.events.findLast((event) => event.stream === stream)?.version ?? disk.trimmed.get(stream) ?? 0;

const lastPosition = ({ events }: MemoryDisk): number => events.at(-1)?.position ?? 0;

function trimOn(disk: MemoryDisk, { streams, snapshots }: Trim): number {
  const before = disk.events.length;
  const newest = disk.events.at(-1)?.stream;
  for (const { stream, version } of streams) {
    if (stream === newest || versionOf(disk, stream) !== version) continue;
    disk.trimmed.set(stream, version);
    disk.events.splice(0, Infinity, ...disk.events.filter((event) => event.stream !== stream));
  }
  for (const name of snapshots) disk.snapshots.delete(name);
  return before - disk.events.length;
}

function readsOfEvents(disk: MemoryDisk): Pick<StoreBackend, 'read' | 'changed'> {
  const isWanted =
    ({ after, stream }: ChangeQuery) =>
    (event: StoredEvent) =>
      event.position > after && (stream === undefined || event.stream === stream);
  return {
    read: async ({ limit, ...query }) => structuredClone(disk.events.filter(isWanted(query)).slice(0, limit)),
    async changed(query, signal) {
      if (signal.aborted || disk.events.some(isWanted(query))) return;
      await new Promise<void>((resolve) => {
        const wake = () => {
          disk.waiting.delete(wake);
          signal.removeEventListener('abort', wake);
          resolve();
        };
        disk.waiting.add(wake);
        signal.addEventListener('abort', wake);
      });
    },
  };
}

type TaskReads = 'loadTasks' | 'claimableTasks' | 'expiredTasks' | 'dependentsOf' | 'listTasks';

function readsOfTasks(disk: MemoryDisk): Pick<StoreBackend, TaskReads> {
  const tasks = () => structuredClone([...disk.tasks.values()]);
  return {
    loadTasks: async (ids) => tasks().filter(({ id }) => ids.includes(id)),
    claimableTasks: async (limit) =>
      tasks()
        .filter((task) => task.status === 'pending' && task.open_dependencies.length === 0)
        .sort((a, b) => b.priority - a.priority)
        .slice(0, limit),
    expiredTasks: async (now, limit) =>
      tasks()
        .filter((task) => task.status === 'in_progress' && task.lease !== undefined && task.lease.until <= now)
        .slice(0, limit),
    dependentsOf: async (id) => tasks().filter((task) => task.depends_on.includes(id)),
    async listTasks({ statuses, text, offset = 0, limit }) {
      const needle = text?.toLowerCase();
      const found = tasks().filter(
        ({ status, id, intent }) =>
          (statuses === undefined || statuses.includes(status)) &&
          (needle === undefined || `${id}\n${intent}`.toLowerCase().includes(needle)),
      );
      return { tasks: found.slice(offset, offset + limit), total: found.length };
    },
  };
}

function leasesOn(disk: MemoryDisk): Pick<StoreBackend, 'renewLease' | 'leaseTime' | 'loadLease' | 'swapLease'> {
  return {
    async renewLease({ id, fence, until }) {
      const task = disk.tasks.get(id);
      if (task?.status !== 'in_progress' || task.fence !== fence || task.lease === undefined) return false;
      disk.tasks.set(id, { ...task, lease: { ...task.lease, until } });
      return true;
    },
    leaseTime: async (caller) => caller.now(),
    loadLease: async (name) => structuredClone(disk.leases.get(name)),
    async swapLease({ expectedRevision, after }) {
      const stored = disk.leases.get(after.name)?.revision;
      if (stored !== expectedRevision) return stored === after.revision;
      disk.leases.set(after.name, { ...after });
      return true;
    },
  };
}

function store(disk: MemoryDisk, { at, streams, tasks, lease }: Commit): CommitResult {
  for (const { stream, expectedVersion } of streams) {
    const current = versionOf(disk, stream);
    if (current !== expectedVersion) return { committed: false, stream, version: current };
  }
  if (lease !== undefined && disk.tasks.get(lease.id)?.lease?.until !== lease.until) {
    const stream = `task:${lease.id}`;
    return { committed: false, stream, version: versionOf(disk, stream) };
  }
  for (const { stream, expectedVersion, events } of streams) {
    for (const [index, event] of events.entries()) {
      disk.events.push({
        ...structuredClone(event),
        stream,
        at,
        position: lastPosition(disk) + 1,
        version: expectedVersion + index + 1,
      });
    }
  }
  for (const { before, after } of tasks) {
    if (after !== null) disk.tasks.set(after.id, structuredClone(after));
    else if (before !== null) disk.tasks.delete(before.id);
  }
  return { committed: true, position: lastPosition(disk) };
}
