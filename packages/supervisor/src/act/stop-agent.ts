import type { RenewalRecord } from '../renewal/renewal-record.js';
import type { Supervision } from '../supervision.js';

/** Whether a renewal may be called off where it is. Between two processes it goes on to its end first. */
export const canCallOff = ({ state: { phase } }: RenewalRecord): boolean =>
  phase === 'idle' || phase === 'failed' || phase === 'requesting-handoff' || phase === 'confirming';

/** Ends the agent with everything that it started, and gives its task back. */
export async function stopAgent(supervision: Supervision, renewals: RenewalRecord): Promise<void> {
  const { seat, record, store, task, timing, notify } = supervision;
  const { phase } = await renewals.read();
  if (phase === 'requesting-handoff') await renewals.append({ type: 'renewal.abandoned', reason: 'stopped' });
  if (phase === 'confirming') await renewals.append({ type: 'takeover.missed', reason: 'stopped' });
  const { agent } = await record.read();
  if (agent !== undefined) await seat.clear(agent.agentId, timing.graceMs);
  if (task !== undefined) await store.tasks.release(task);
  notify({ kind: 'done' });
}
