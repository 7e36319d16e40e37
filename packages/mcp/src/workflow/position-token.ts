import type { WorkflowRun } from '@devs/core';

/** Names the position of a run, so that a request that is repeated is known by it. */
export const positionToken = ({ id, state }: Pick<WorkflowRun, 'id' | 'state'>): string => `${id}.${state.visit}`;

/** The visit that a token of this run names; `undefined` for another run or an unvisited position. */
export function visitOf(token: string, run: WorkflowRun): number | undefined {
  const visit = Number(token.slice(run.id.length + 1));
  const isReached = Number.isSafeInteger(visit) && visit >= 1 && visit <= run.state.visit;
  // `1.0` and `1e0` are numbers, too, but were never given out.
  return isReached && token === `${run.id}.${visit}` ? visit : undefined;
}
