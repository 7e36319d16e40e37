import type { Leases, NamedLease } from '../ports/leases.js';
import { runStream } from '../workflow/workflow-run.js';

/** Lease of a supervisor that leaves context actions to the agent. */
export const watchOfRun = (runId: string): string => `watch:${runId}`;

/** Who supervises a run, in either mode. */
export const holderOfRun = async (leases: Pick<Leases, 'get'>, runId: string): Promise<NamedLease | undefined> =>
  (await leases.get(runStream(runId))) ?? (await leases.get(watchOfRun(runId)));
