import { collect, readAll } from '../../event-log/read-log.js';
import type { EventLog, StoredEvent } from '../../ports/event-log.js';
import { type RunHistory, terminalsOfRun } from '../../report/report-run.js';
import { runStream } from '../../workflow/workflow-run.js';

/** Stored events of a run and of its agents' terminals. */
export async function readHistory(log: Pick<EventLog, 'read'>, id: string): Promise<RunHistory> {
  const run = await collect(readAll(log, { stream: runStream(id) }));
  const terminals = new Map<string, readonly StoredEvent[]>();
  for (const name of terminalsOfRun(run)) {
    terminals.set(name, await collect(readAll(log, { stream: `terminal:${name}` })));
  }
  return { id, run, terminals };
}
