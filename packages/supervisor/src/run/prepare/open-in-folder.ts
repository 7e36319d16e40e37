import { type EventLog, holderOfRun } from '@devs/core';
import type { RunRequest } from '../run.js';
import type { RunRecord } from '../run-record.js';
import type { Refused } from './refused.js';

const RUN_OPENED = 'run.opened';

/**
 * Makes the run the current one of its folder, for the agent's tools. A run that finds another one at work there is
 * paused, so that every view says why.
 */
export async function openInFolder(request: RunRequest, record: RunRecord, path: string): Promise<Refused | undefined> {
  const { log, leases } = request.store;
  const { id } = record.facts;
  const stream = request.worktreeStream(path);
  for (;;) {
    const { current, version } = await readFolder(log, stream);
    if (current === id) return undefined;
    const holder = current === undefined ? undefined : await holderOfRun(leases, current);
    if (holder !== undefined) {
      await record.append({ type: 'run.paused', why: `another run had the folder: ${current}` });
      return {
        status: 'refused',
        runId: id,
        reason: `${current} is at work in this folder, supervised by ${holder.by}`,
        advice: `Stop it first: devs stop ${current}; or run without --here.`,
      };
    }
    const done = await log.append(stream, version, [{ type: RUN_OPENED, data: { run: id, worktree: path } }]);
    if (done.status === 'appended') return undefined;
  }
}

/** The run that the folder has now. */
async function readFolder(log: Pick<EventLog, 'read'>, stream: string) {
  let current: string | undefined;
  let version = 0;
  for (let after = 0; ; ) {
    const events = await log.read({ stream, after, limit: PAGE });
    for (const { type, data } of events) if (type === RUN_OPENED) current = String(data.run);
    version = events.at(-1)?.version ?? version;
    after = events.at(-1)?.position ?? after;
    if (events.length < PAGE) return { current, version };
  }
}

const PAGE = 500;
