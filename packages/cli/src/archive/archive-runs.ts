import { join } from 'node:path';
import {
  ARCHIVE_STREAM,
  type Archiving,
  archivableRuns,
  archivingOf,
  collect,
  createRunReader,
  type OpenedStore,
  type RunFacts,
  readAll,
  readHistory,
  runsArchived,
  type StoredEvent,
  toArchive,
} from '@devs/core';
import { CliError } from '../cli-error.js';
import { eventLine } from '../debug/record/export-format.js';
import { listAllTasks } from '../debug/record/list-all-tasks.js';
import { toJson } from '../screen/to-json.js';
import { archiveEnding, writeArchive } from './archive-file.js';

export interface ArchiveRequest {
  readonly folder: string;
  readonly now: number;
  readonly olderThanMs: number;
  /** Removes what the remote still has of a run. */
  dropWork(run: RunFacts): Promise<unknown>;
}

export interface Archived {
  readonly files: readonly string[];
  readonly runs: number;
  readonly events: number;
}

/** An event names what it archived, and has a limited size. */
const RUNS_PER_FILE = 200;
const LEASE = 'archive:runs';
const LEASE_MS = 600_000;

/** Runs that could be archived now. */
export async function findArchivable({ store }: OpenedStore, request: ArchiveRequest): Promise<readonly RunFacts[]> {
  const { runs } = await createRunReader(store).read();
  const open = await listAllTasks(store.tasks, { statuses: ['pending', 'in_progress', 'blocked', 'failed'] });
  const awaited = new Set(open.flatMap(({ id, depends_on }) => [id, ...depends_on]));
  return archivableRuns(runs, { ...request, awaited });
}

/**
 * Moves runs that are long over to files. First the file, then an event that names it, then the events are removed: what
 * an interruption leaves is removed the next time.
 */
export async function archiveRuns(opened: OpenedStore, by: string, request: ArchiveRequest): Promise<Archived> {
  const { store, backend } = opened;
  const outcome = await store.leases.acquire({ name: LEASE, by, leaseMs: LEASE_MS });
  if (outcome.status !== 'acquired') throw new CliError(`${outcome.by} archives this store now. Try again later.`);
  try {
    await finishLast(opened);
    const found = await findArchivable(opened, request);
    const files: string[] = [];
    let events = 0;
    for (let from = 0; from < found.length; from += RUNS_PER_FILE) {
      const archiving = await archiveSome(opened, found.slice(from, from + RUNS_PER_FILE), request);
      await store.leases.renew({ ...outcome.lease, leaseMs: LEASE_MS });
      files.push(archiving.file);
      events += archiving.events;
    }
    await backend.compact();
    return { files, runs: found.length, events };
  } finally {
    await store.leases.release(outcome.lease);
  }
}

async function archiveSome(
  opened: OpenedStore,
  runs: readonly RunFacts[],
  { folder, now, dropWork }: ArchiveRequest,
): Promise<Archiving> {
  const { store } = opened;
  const streams: { stream: string; version: number }[] = [];
  let events = 0;
  async function* lines() {
    yield toJson({ devs_archive: 1, store: await store.id(), runs: runs.map(({ id }) => id) });
    for (const { id } of runs) {
      const { run, terminals } = await readHistory(store.log, id);
      for (const stored of [run, ...terminals.values()]) {
        const last = stored.at(-1);
        if (last === undefined) continue;
        streams.push({ stream: last.stream, version: last.version });
        for (const event of stored) yield toJson(eventLine(event));
        events += stored.length;
      }
    }
    yield toJson({ events }); // without it the file was cut off
  }
  const name = `runs-${new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, '')}-${runs[0]?.id}.${archiveEnding()}`;
  const file = join(folder, name);
  await writeArchive(file, lines());
  for (const run of runs) await dropWork(run).catch(() => {}); // a remote that is away keeps a ref
  const archiving = { file, events, runs: runs.flatMap(toArchive), streams };
  await append(opened, archiving);
  await remove(opened, archiving);
  return archiving;
}

async function append({ store }: OpenedStore, archiving: Archiving): Promise<void> {
  for (;;) {
    const version = await store.log.version(ARCHIVE_STREAM);
    if ((await store.log.append(ARCHIVE_STREAM, version, [runsArchived(archiving)])).status === 'appended') return;
  }
}

const remove = ({ backend }: OpenedStore, { streams, runs }: Pick<Archiving, 'streams' | 'runs'>): Promise<number> =>
  backend.trim({ streams, snapshots: runs.map(({ id }) => `handoff:${id}`) });

/** Of the archive before, which may have been interrupted. */
async function finishLast(opened: OpenedStore): Promise<void> {
  const events: readonly StoredEvent[] = await collect(readAll(opened.store.log, { stream: ARCHIVE_STREAM }));
  const last = events.at(-1);
  const archiving = last === undefined ? undefined : archivingOf(last);
  if (archiving !== undefined) await remove(opened, archiving);
}
