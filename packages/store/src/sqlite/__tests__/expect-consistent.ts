import {
  foldSupervisorState,
  openStore,
  readSupervisorState,
  type StoreBackend,
  type StoredEvent,
  type TaskRecord,
} from '@devs/core';
import { expect } from 'vitest';

/** Everything that must be true of a store however its writers ended. Returns all events. */
export async function expectConsistent(backend: StoreBackend): Promise<readonly StoredEvent[]> {
  const events = await readAll(backend);
  expect(events.map(({ position }) => position)).toEqual(events.map((_event, index) => index + 1));
  const versions = new Map<string, number>();
  for (const { stream, version } of events) {
    expect([stream, version]).toEqual([stream, (versions.get(stream) ?? 0) + 1]);
    versions.set(stream, version);
  }
  const texts = events.flatMap(({ type, data }) => (type === 'note.written' ? [data['text']] : []));
  expect(new Set(texts).size).toBe(texts.length);

  const fold = await foldSupervisorState(backend);
  expect(await readSupervisorState(backend)).toEqual(fold);
  await expectTasksAreTheFold(backend, events);
  return events;
}

async function readAll(backend: StoreBackend): Promise<readonly StoredEvent[]> {
  const events: StoredEvent[] = [];
  for (;;) {
    const more = await backend.read({ after: events.length, limit: 5_000 });
    if (more.length === 0) return events;
    events.push(...more);
  }
}

type Facts = Pick<TaskRecord, 'status' | 'fence' | 'version' | 'open_dependencies'> & {
  readonly result?: unknown;
  readonly reason?: unknown;
};

async function expectTasksAreTheFold(backend: StoreBackend, events: readonly StoredEvent[]): Promise<void> {
  const folded = new Map<string, Facts>();
  for (const event of events.filter(({ stream }) => stream.startsWith('task:'))) {
    const id = event.stream.slice('task:'.length);
    const facts = foldTask(folded.get(id), event);
    if (facts === undefined) folded.delete(id);
    else folded.set(id, facts);
  }
  const clock = { now: () => 0 };
  const { tasks } = await openStore({ backend, clock, newId: () => '' }).tasks.list({ limit: 1_000_000 });
  const stored = tasks.map(({ id, status, fence, version, open_dependencies, result, reason }) => [
    id,
    { status, fence, version, open_dependencies, ...(result && { result }), ...(reason && { reason }) },
  ]);
  expect(Object.fromEntries(stored)).toEqual(Object.fromEntries(folded));
}

function foldTask(task: Facts | undefined, { type, data, version }: StoredEvent): Facts | undefined {
  const { fence = 0, open_dependencies = [], status = 'pending' } = task ?? {};
  const base = { fence, open_dependencies, version };
  switch (type) {
    case 'task.added':
      return { ...base, status: 'pending', open_dependencies: data['depends_on'] as string[], fence: 0 };
    case 'task.claimed':
      return { ...base, status: 'in_progress', fence: fence + 1 };
    case 'task.completed':
      return { ...base, status: 'done', ...('result' in data && { result: data['result'] }) };
    case 'task.failed':
      return { ...base, status: 'failed', reason: data['reason'] };
    case 'task.blocked':
      return { ...base, status: 'blocked', reason: data['reason'] };
    case 'dependency.completed':
      return { ...base, status, open_dependencies: open_dependencies.filter((id) => id !== data['on']) };
    case 'task.removed':
      return undefined;
    default:
      return { ...base, status: 'pending' };
  }
}
