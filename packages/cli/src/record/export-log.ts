import type { Store } from '@devs/core';
import { readAll } from '../log/read-newest.js';
import { toJson } from '../screen/to-json.js';
import { EXPORT_HEADER, type ExportFooter, eventLine } from './export-format.js';
import { listAllTasks } from './list-all-tasks.js';

/** The whole log as lines of JSON, from which `restoreLog` makes the same store again. */
export async function* exportLog({ log, tasks }: Pick<Store, 'log' | 'tasks'>): AsyncGenerator<string, number> {
  yield toJson(EXPORT_HEADER);
  let events = 0;
  for await (const event of readAll(log)) {
    yield toJson(eventLine(event));
    events++;
  }
  const held = await listAllTasks(tasks, { statuses: ['in_progress'] });
  const leases = held
    .flatMap(({ id, fence, lease }) => (lease === undefined ? [] : [{ task: id, fence, until: lease.until }]))
    .sort((a, b) => (a.task < b.task ? -1 : 1));
  yield toJson({ events, leases } satisfies ExportFooter);
  return events;
}
