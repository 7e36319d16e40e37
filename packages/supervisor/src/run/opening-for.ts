import {
  buildContextRefreshPrompt,
  buildMinimalState,
  describeStatus,
  type Known,
  openingPrompt,
  type RunFacts,
  type Store,
  type WorkflowRun,
} from '@devs/core';
import { taskOf } from './task-of.js';

/** What every prompt of a run says: the request, and what the records say by now. */
export const knownFor = async (store: Pick<Store, 'state'>, facts: RunFacts): Promise<Known> => ({
  task: taskOf(facts),
  state: buildMinimalState(await store.state()),
});

/** What an agent is told whose conversation is empty: the request, what the records say, and the step. */
export async function openingFor(
  store: Pick<Store, 'state'>,
  facts: RunFacts,
  workflow: WorkflowRun,
  handoff?: string,
): Promise<string> {
  const opening = openingPrompt(await knownFor(store, facts), describeStatus(workflow.template, workflow.state));
  return handoff === undefined ? opening : buildContextRefreshPrompt(handoff, { basePrompt: opening });
}
