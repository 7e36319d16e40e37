import {
  eventOf,
  type NewEvent,
  neededContextAction,
  redactJson,
  runEvent,
  transition,
  type WorkflowEvent,
  type WorkflowRun,
} from '@devs/core';
import { requestOf } from './context-action.js';
import type { RunAccess } from './run-access.js';
import { WorkflowToolError } from './workflow-tool-error.js';

/** Changes that a tool may cause. */
export type RunChange = Exclude<WorkflowEvent, { type: 'context-action.settled' }>;

interface Decision {
  /** Stored together: the change, and under a supervisor the request of the next position. */
  readonly events: readonly NewEvent[];
  /** Whether the position is another one afterwards. */
  readonly isElsewhere: boolean;
}

/** The events of a change, or why it is refused. Empty for an identical list of tasks. */
export async function decideEvents(run: WorkflowRun, change: RunChange, runs: RunAccess): Promise<Decision> {
  const { event, result } = outcomeOf(run, change);
  if (!result.ok) throw new WorkflowToolError(result.refusal.code, result.refusal.message);
  const isElsewhere = result.state.visit !== run.state.visit;
  if (change.type === 'tasks.set' && !isElsewhere && isSame(result.state.tasks, run.state.tasks))
    return { events: [], isElsewhere };
  const action = isElsewhere ? neededContextAction(run.template, result.state) : undefined;
  const isRequested = action !== undefined && (await runs.isSupervised(run));
  return {
    events: isRequested ? [event, requestOf({ ...run, state: result.state }, action)] : [event],
    isElsewhere,
  };
}

/**
 * Decides on the redacted change, since it must be accepted again when read back. Outputs decide nothing, and copying
 * them would be costly.
 */
export function outcomeOf({ template, state }: WorkflowRun, change: RunChange) {
  const { type, data } = runEvent(state, change);
  const event = { type, data: redactJson(data) };
  const result = transition(template, { ...state, outputs: {} }, eventOf<RunChange>(event));
  return { event, result };
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
