import { rm } from 'node:fs/promises';
import type { EndReport } from '@devs/terminals';
import type { RenewalRecord } from '../renewal/renewal-record.js';
import type { Supervision } from '../supervision.js';

/** Whether what is being done may be called off where it is. git is not: it would leave its lock in the user's repository. */
export const canCallOff = ({ state: { phase } }: RenewalRecord): boolean => phase !== 'committing';

export interface StopManner {
  /** Whoever stops it says what came of its task. Else the task goes back to the queue. */
  readonly keepsTask?: boolean;
}

/**
 * Ends the agent with everything that it started, and gives its task back. That the terminal was stopped is recorded before, which
 * ended whatever renewal was under way: nothing more of that is done. Tells what was ended.
 */
export async function stopAgent(
  supervision: Supervision,
  renewals: RenewalRecord,
  { keepsTask = false }: StopManner = {},
): Promise<EndReport> {
  await renewals.read();
  const report = await finishStop(supervision);
  const { store, task, notify } = supervision;
  if (task !== undefined && !keepsTask) await store.tasks.release(task);
  notify({ kind: 'done' });
  return report;
}

/** Ends what is still there, also where whoever stopped the terminal had no time to. Doing it twice does no more than once. */
export async function finishStop({ seat, record, timing, privateFolder }: Supervision): Promise<EndReport> {
  const { agent } = await record.read();
  const report = await seat.clear(agent?.agentId, timing.graceMs);
  // What it was told by file, such as the address of a store with its password. The next start writes it anew.
  await rm(privateFolder, { recursive: true, force: true });
  return report;
}
