import { rm } from 'node:fs/promises';
import type { EndReport } from '@devs/terminals';
import type { RenewalRecord } from '../renewal/renewal-record.js';
import type { Supervision } from '../supervision.js';

/** Whether what is being done may be cancelled where it is. git is not: it would leave its lock in the user's repository. */
export const canCallOff = ({ state: { phase } }: RenewalRecord): boolean => phase !== 'committing';

export interface StopMode {
  /** The caller settles the task. Otherwise the task goes back to the queue. */
  readonly keepsTask?: boolean;
}

/**
 * Ends the agent with all its child processes, and gives its task back. The stop is recorded first, which ends any
 * renewal in progress. Reports the ended processes.
 */
export async function stopAgent(
  supervision: Supervision,
  renewals: RenewalRecord,
  { keepsTask = false }: StopMode = {},
): Promise<EndReport> {
  await renewals.read();
  const report = await finishStop(supervision);
  const { store, task, notify } = supervision;
  if (task !== undefined && !keepsTask) await store.tasks.release(task);
  notify({ kind: 'done' });
  return report;
}

/** Ends remaining processes, also if the supervisor that stopped the terminal had no time to. Idempotent. */
export async function finishStop({ agentProcess, record, timing, privateFolder }: Supervision): Promise<EndReport> {
  const { agent } = await record.read();
  const report = await agentProcess.clear(agent?.agentId, timing.graceMs);
  // What it was told by file, such as the address of a store with its password. The next start writes it anew.
  await rm(privateFolder, { recursive: true, force: true });
  return report;
}
