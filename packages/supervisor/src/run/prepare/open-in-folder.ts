import { followOpenedRun, holderOfRun, runOpened } from '@devs/core';
import type { RunRequest } from '../run.js';
import type { RunRecord } from '../run-record.js';
import type { Refused } from './refused.js';

/**
 * Makes the run the current one of its folder, for the agent's tools. A run that finds another one at work there is
 * paused, so that every view says why.
 */
export async function openInFolder(request: RunRequest, record: RunRecord, path: string): Promise<Refused | undefined> {
  const { log, leases } = request.store;
  const { id } = record.facts;
  const opened = followOpenedRun(log, request.worktreeStream(path));
  for (;;) {
    const current = await opened.read();
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
    if (await opened.append([runOpened(id, path)])) return undefined;
  }
}
