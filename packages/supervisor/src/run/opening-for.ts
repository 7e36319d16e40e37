import {
  buildMinimalState,
  describeStatus,
  openingPrompt,
  type RunFacts,
  type Store,
  type WorkflowRun,
} from '@devs/core';
import { taskOf } from './task-of.js';

/** What an agent is told whose conversation is empty: the request, what the records say, and the step. */
export async function openingFor(store: Pick<Store, 'state'>, facts: RunFacts, workflow: WorkflowRun): Promise<string> {
  const state = buildMinimalState(await store.state());
  return openingPrompt(taskOf(facts), state, describeStatus(workflow.template, workflow.state));
}
