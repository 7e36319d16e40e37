import { isDeepStrictEqual } from 'node:util';
import {
  ARCHIVE_STREAM,
  archivingOf,
  collect,
  foldSupervisorState,
  foldTask,
  type OpenedStore,
  readAll,
  type StoredEvent,
  type SupervisorState,
  type TaskRecord,
} from '@devs/core';
import { listAllTasks } from './list-all-tasks.js';

export interface Verification {
  readonly events: number;
  readonly streams: number;
  readonly tasks: number;
  /** Problems, a sentence each; empty if all is well. */
  readonly problems: readonly string[];
}

/**
 * Whether the log explains everything stored: it has no gap, the state is its fold, and each task is the fold of its
 * events. Others may keep writing: state and tasks are read first, and compared with the log at their position.
 */
export async function verifyRecord({ store, backend }: OpenedStore): Promise<Verification> {
  const state = await store.state();
  const records = new Map((await listAllTasks(store.tasks)).map((task) => [task.id, task]));

  const problems: string[] = [];
  const versions = new Map<string, number>();
  const folded = new Map<string, TaskRecord>();
  const compared = new Set<string>();
  let missing: readonly string[] = [];
  let events = 0;

  const archived = await readArchived(store.log);
  for await (const event of readAll(store.log)) {
    problems.push(...gapsBefore(event, { position: events, version: versions.get(event.stream) ?? 0 }, archived));
    events = event.position;
    versions.set(event.stream, event.version);
    const id = foldTask(folded, event);
    const record = id === undefined ? undefined : records.get(id);
    if (id !== undefined && record?.version === event.version) {
      compared.add(id);
      problems.push(...compareTask(record, folded.get(id)));
    }
    if (event.position === state.position) missing = [...folded.keys()].filter((known) => !records.has(known));
    if (event.type === 'task.removed') missing = missing.filter((known) => known !== id);
  }
  problems.push(...compareState(state, await foldSupervisorState(backend, state.position)), ...endlessWaits(folded));
  problems.push(...missing.map((id) => `task ${id}: the log holds it, and there is no record of it`));
  for (const { id, version } of records.values()) {
    if (!compared.has(id)) problems.push(`task ${id}: its record is at version ${version}, its stream never was`);
  }
  return { events, streams: versions.size, tasks: records.size, problems };
}

/** A task that waits for a finished or removed task would wait forever. */
function endlessWaits(tasks: ReadonlyMap<string, TaskRecord>): string[] {
  return [...tasks.values()].flatMap(({ id, open_dependencies }) => {
    const over = open_dependencies.filter((other) => (tasks.get(other)?.status ?? 'done') === 'done');
    return over.map((other) => `task ${id}: it waits for ${other}, which is done or gone`);
  });
}

/** What may be missing, because it was moved to an archive. */
interface ArchivedEvents {
  events: number;
  readonly versions: ReadonlyMap<string, number>;
}

async function readArchived(log: OpenedStore['store']['log']): Promise<ArchivedEvents> {
  const archivings = (await collect(readAll(log, { stream: ARCHIVE_STREAM }))).flatMap(
    (event) => archivingOf(event) ?? [],
  );
  return {
    events: archivings.reduce((sum, { events }) => sum + events, 0),
    versions: new Map(
      archivings.flatMap(({ streams }) => streams).map(({ stream, version }) => [stream, version] as const),
    ),
  };
}

function gapsBefore(
  event: StoredEvent,
  last: { readonly position: number; readonly version: number },
  archived: ArchivedEvents,
): string[] {
  const { position, stream, version } = event;
  const missing = position - last.position - 1;
  const isExplained = missing >= 0 && missing <= archived.events;
  if (isExplained) archived.events -= missing;
  const follows = version === last.version + 1 || (last.version === 0 && version - 1 === archived.versions.get(stream));
  return [
    ...(isExplained ? [] : [`log: behind position ${last.position} comes ${position}`]),
    ...(follows ? [] : [`${stream}: behind version ${last.version} comes ${version}`]),
  ];
}

function compareTask(record: TaskRecord, folded: TaskRecord | undefined): string[] {
  if (folded === undefined) return [`task ${record.id}: it has a record, and the log says that it was removed`];
  const keys = new Set([...Object.keys(record), ...Object.keys(folded)]) as Set<keyof TaskRecord>;
  const different = [...keys].filter((key) => !isSame(key, record[key], folded[key]));
  return different.length === 0
    ? []
    : [`task ${record.id}: its record differs from what the log says in ${different.join(', ')}`];
}

function isSame(key: keyof TaskRecord, a: unknown, b: unknown): boolean {
  if (key === 'lease') return (a as TaskRecord['lease'])?.by === (b as TaskRecord['lease'])?.by;
  return isDeepStrictEqual(a, b);
}

function compareState(state: SupervisorState, folded: SupervisorState): string[] {
  const keys = new Set([...Object.keys(state), ...Object.keys(folded)]) as Set<keyof SupervisorState>;
  const different = [...keys].filter((key) => !isDeepStrictEqual(state[key], folded[key]));
  return different.length === 0 ? [] : [`state: it differs from the fold of the log in ${different.join(', ')}`];
}
