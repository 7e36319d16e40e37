import {
  type Commit,
  foldTask,
  redactJson,
  type StoreBackend,
  type StoredEvent,
  type TaskRecord,
  taskIdOf,
} from '@devs/core';
import { CliError } from '../../cli-error.js';
import type { ExportFooter } from './export-format.js';
import type { ExportPart } from './read-export.js';

const MAX_EVENTS = 500;

interface Restoration {
  readonly backend: StoreBackend;
  readonly newId: () => string;
  readonly signal: AbortSignal;
}

/**
 * Stores the events of an export in an empty store, at the same positions and versions and times, and with them the
 * tasks that they tell of. Returns how many; fewer than there are when it was interrupted.
 */
export async function restoreLog(parts: AsyncIterable<ExportPart>, restoration: Restoration): Promise<number> {
  const tasks = new Map<string, TaskRecord>();
  let waiting: StoredEvent[] = [];
  let stored = 0;
  const flush = async () => {
    if (waiting.length === 0) return;
    await commit(waiting, tasks, restoration);
    stored += waiting.length;
    waiting = [];
  };
  for await (const part of parts) {
    if (part.kind === 'footer') {
      await flush();
      await restoreLeases(part.footer, restoration.backend);
      continue;
    }
    if (!fitsBehind(waiting, part.event)) await flush();
    if (restoration.signal.aborted) return stored;
    waiting.push({ ...part.event, data: redactJson(part.event.data) });
  }
  return stored;
}

/** One commit has one time, and each stream once. */
function fitsBehind(waiting: readonly StoredEvent[], { at, stream }: StoredEvent): boolean {
  const last = waiting.at(-1);
  if (last === undefined || waiting.length >= MAX_EVENTS || last.at !== at) return last === undefined;
  return last.stream === stream || !waiting.some((event) => event.stream === stream);
}

async function commit(
  events: readonly StoredEvent[],
  tasks: Map<string, TaskRecord>,
  { backend, newId }: Restoration,
): Promise<void> {
  const before = new Map<string, TaskRecord | null>();
  const streams = new Map<string, { stream: string; expectedVersion: number; events: StoredEvent[] }>();
  for (const event of events) {
    const { stream, version } = event;
    const known = streams.get(stream) ?? { stream, expectedVersion: version - 1, events: [] };
    known.events.push(event);
    streams.set(stream, known);
    const id = taskIdOf(stream);
    if (id !== undefined && !before.has(id)) before.set(id, tasks.get(id) ?? null);
    foldTask(tasks, event);
  }
  const result = await backend.commit({
    id: newId(),
    at: events[0]?.at ?? 0,
    streams: [...streams.values()].map(({ stream, expectedVersion, events: own }): Commit['streams'][number] => ({
      stream,
      expectedVersion,
      events: own.map(({ type, data }) => ({ type, data })),
    })),
    tasks: [...before]
      .map(([id, record]) => ({ before: record, after: tasks.get(id) ?? null }))
      .filter((change) => change.before !== null || change.after !== null),
  });
  if (!result.committed || result.position !== events.at(-1)?.position) {
    throw new CliError('another process has written to the store. Import into a new one: --store sqlite:FILE');
  }
}

async function restoreLeases({ leases }: ExportFooter, backend: StoreBackend): Promise<void> {
  for (const { task, fence, until } of leases) await backend.renewLease({ id: task, fence, until });
}
