import { deepEqual, equal } from 'node:assert/strict';
import {
  foldSupervisorState,
  readSupervisorState,
  type StoreBackend,
  type StoredEvent,
  TASK_STATUSES,
  type TaskRecord,
} from '@devs/core';

/** Reads the whole log and proves that everything else in the store follows from it. */
export async function audit(backend: StoreBackend): Promise<readonly StoredEvent[]> {
  const events = await readAll(backend);
  const versions = new Map<string, number>();
  for (const [index, { position, stream, version }] of events.entries()) {
    equal(position, index + 1);
    equal(version, (versions.get(stream) ?? 0) + 1);
    versions.set(stream, version);
  }
  for (const [stream, version] of versions) equal(await backend.version(stream), version);
  deepEqual(await readSupervisorState(backend), await foldSupervisorState(backend));
  await auditTasks(backend, foldTasks(events));
  return events;
}

async function readAll(backend: StoreBackend): Promise<StoredEvent[]> {
  const events: StoredEvent[] = [];
  for (;;) {
    const more = await backend.read({ after: events.length, limit: 1_000 });
    events.push(...more);
    if (more.length === 0) return events;
  }
}

async function auditTasks(backend: StoreBackend, expected: readonly FoldedTask[]): Promise<void> {
  const limit = expected.length + 1;
  const { tasks, total } = await backend.listTasks({ limit });
  equal(total, expected.length);
  deepEqual(tasks.map(comparable), expected);
  for (const status of TASK_STATUSES) {
    deepEqual(
      (await backend.listTasks({ statuses: [status], limit })).tasks,
      tasks.filter((task) => task.status === status),
    );
  }
  const claimable = tasks.filter((task) => task.status === 'pending' && task.open_dependencies.length === 0);
  deepEqual(
    await backend.claimableTasks(limit),
    claimable.sort((a, b) => b.priority - a.priority),
  );
  const held = tasks.filter(({ status }) => status === 'in_progress').map(({ id }) => id);
  deepEqual((await backend.expiredTasks(Number.MAX_SAFE_INTEGER, limit)).map(({ id }) => id).sort(), held.sort());
}

type FoldedTask = ReturnType<typeof comparable>;

/** The part of a task that the log knows: everything except times and the end of its lease. */
const comparable = ({ added_at: _added, finished_at: _finished, lease, ...task }: TaskRecord) => ({
  ...task,
  ...(lease !== undefined && { by: lease.by }),
});

/** In the order of adding. */
function foldTasks(events: readonly StoredEvent[]): FoldedTask[] {
  const tasks = new Map<string, FoldedTask>();
  for (const { stream, type, version, data } of events) {
    if (!stream.startsWith('task:')) continue;
    const id = stream.slice('task:'.length);
    if (type === 'task.removed') {
      tasks.delete(id);
      continue;
    }
    const isDone = (other: string) => tasks.get(other)?.status === 'done';
    tasks.set(id, { ...foldTask(tasks.get(id), { id, type, data, isDone }), version });
  }
  return [...tasks.values()];
}

type Step = Pick<StoredEvent, 'type' | 'data'> & { readonly id: string; readonly isDone: (id: string) => boolean };

function foldTask(task: FoldedTask | undefined, { id, type, data, isDone }: Step): FoldedTask {
  if (type === 'task.added') {
    equal(task, undefined, `${id} was added twice`);
    const depends_on = data['depends_on'] as string[];
    const { intent, description, priority } = data as { intent: string; description?: string; priority: number };
    const open_dependencies = depends_on.filter((other) => !isDone(other));
    const known = { id, intent, ...(description !== undefined && { description }), priority };
    return { ...known, depends_on, open_dependencies, status: 'pending', fence: 0, version: 1 };
  }
  if (task === undefined) throw new Error(`${id}: ${type} before it was added`);
  const { result: _result, reason: _reason, by: _by, ...lasting } = task;
  const on = String(data['on']);
  switch (type) {
    case 'dependency.completed':
      return { ...task, open_dependencies: task.open_dependencies.filter((other) => other !== on) };
    case 'dependency.reopened':
      return { ...task, open_dependencies: [...task.open_dependencies, on] };
    case 'task.claimed':
      return { ...lasting, status: 'in_progress', fence: Number(data['fence']), by: String(data['by']) };
    case 'task.completed':
      return { ...lasting, status: 'done', ...(data['result'] !== undefined && { result: String(data['result']) }) };
    case 'task.failed':
      return { ...lasting, status: 'failed', reason: String(data['reason']) };
    case 'task.blocked':
      return { ...lasting, status: 'blocked', reason: String(data['reason']) };
    default:
      return { ...lasting, status: 'pending' };
  }
}
