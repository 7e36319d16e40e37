import type { Leases, NamedLease } from '../ports/leases.js';
import { runStream } from '../workflow/workflow-run.js';

/** What somebody holds who looks after a run and leaves what is done about its context to the agent. */
export const watchOfRun = (runId: string): string => `watch:${runId}`;

/** Who looks after a run, in whichever manner. */
export const holderOfRun = async (leases: Pick<Leases, 'get'>, runId: string): Promise<NamedLease | undefined> =>
  (await leases.get(runStream(runId))) ?? (await leases.get(watchOfRun(runId)));
