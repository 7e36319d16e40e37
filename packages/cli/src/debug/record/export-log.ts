import { type DamagedEventError, readAll, readUndamaged, type Store, type StoredEvent } from '@devs/core';
import { toJson } from '../../screen/to-json.js';
import { EXPORT_HEADER, type ExportFooter, eventLine } from './export-format.js';
import { listAllTasks } from './list-all-tasks.js';

type Source = Pick<Store, 'log' | 'tasks'>;

export interface Exported {
  readonly events: number;
  /** What could not be read, and was left out. */
  readonly damaged: readonly DamagedEventError[];
}

/**
 * The whole log as lines of JSON, from which `restoreLog` makes the same store again. Where runs were archived, later events
 * move up.
 */
export async function* exportLog({ log, tasks }: Source): AsyncGenerator<string, Exported> {
  yield toJson(EXPORT_HEADER);
  let events = 0;
  const moveUp = closeGaps();
  for await (const event of readAll(log)) {
    yield toJson(eventLine(moveUp(event)));
    events++;
  }
  yield toJson({ events, leases: await leasesOf(tasks) } satisfies ExportFooter);
  return { events, damaged: [] };
}

/**
 * The same without unreadable events. Later events move up, in the log and in their streams: an export has no gaps.
 * Holders of tasks are left out too, since task records may be damaged as well: after the import no task is held.
 */
export async function* exportUndamaged({ log }: Pick<Source, 'log'>): AsyncGenerator<string, Exported> {
  yield toJson(EXPORT_HEADER);
  const damaged: DamagedEventError[] = [];
  const moveUp = closeGaps();
  let events = 0;
  for await (const event of readUndamaged(log, (found) => damaged.push(found))) {
    yield toJson(eventLine(moveUp(event)));
    events++;
  }
  yield toJson({ events, leases: [] } satisfies ExportFooter);
  return { events, damaged };
}

/** Numbers events anew, in the log and in their streams. */
function closeGaps(): (event: StoredEvent) => StoredEvent {
  const versions = new Map<string, number>();
  let position = 0;
  return (event) => {
    const version = (versions.get(event.stream) ?? 0) + 1;
    versions.set(event.stream, version);
    return { ...event, position: ++position, version };
  };
}

async function leasesOf(tasks: Source['tasks']): Promise<ExportFooter['leases']> {
  const held = await listAllTasks(tasks, { statuses: ['in_progress'] });
  return held
    .flatMap(({ id, fence, lease }) => (lease === undefined ? [] : [{ task: id, fence, until: lease.until }]))
    .sort((a, b) => (a.task < b.task ? -1 : 1));
}
