import {
  contextActionEvent,
  decideContextAction,
  reduceWorkflowRun,
  runStream,
  type Store,
  type WorkflowRun,
} from '@devs/core';

const LEASE_MS = 60_000;

/** Holds the run and performs its requests. The agent's records show each at once. */
export function createFakeSupervisor(store: Store) {
  const performed: string[] = [];
  let id = '';

  async function current(): Promise<WorkflowRun> {
    let run: WorkflowRun | undefined;
    for (const event of await store.log.read({ stream: runStream(id) })) run = reduceWorkflowRun(run, event);
    if (run === undefined) throw new Error('there is no run');
    return run;
  }

  return {
    performed,
    /** Takes the run that `start` has started. */
    async begin(start: () => Promise<unknown>) {
      await start();
      const events = await store.log.read();
      id = String(events.find(({ type }) => type === 'run.opened')?.data['run']);
      const outcome = await store.leases.acquire({ name: runStream(id), by: 'supervisor', leaseMs: LEASE_MS });
      if (outcome.status !== 'acquired') throw new Error('somebody else holds the run');
    },
    /** The agent is idle: pending requests are performed now. */
    async endOfTurn() {
      const run = await current();
      if (run.contextAction === undefined) return;
      const { visit } = run.state;
      const decision = decideContextAction(run.contextAction, 0);
      if (decision.do !== 'perform') return;
      const { attempt, how } = decision;
      performed.push(`${visit} ${run.contextAction.action}`);
      await store.log.append(runStream(id), run.version, [
        contextActionEvent(visit, { type: 'context-action.performed', attempt, how }),
        contextActionEvent(visit, { type: 'context-action.observed', evidence: 'compact_boundary' }),
      ]);
    },
  };
}
