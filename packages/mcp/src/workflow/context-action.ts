import {
  type ContextActionEvent,
  contextActionEvent,
  neededContextAction,
  type StepContextAction,
  type WorkflowRun,
} from '@devs/core';
import type { ToolCall } from '../tool.js';
import { positionToken } from './position-token.js';
import type { StatusAnswer } from './status-answer.js';
import type { WorkflowContext } from './workflow-context.js';

export type Call = Pick<ToolCall<WorkflowContext>, 'context' | 'afterAnswer'>;

/**
 * Handles the unsettled context action of the position and returns the answer about it. With a supervisor, the action
 * is requested from it, and the answer stays the same until the action was observed. Otherwise the agent is asked, and
 * this is stored once the answer is out: after an interruption the agent is asked again.
 */
export async function seeToContextAction(run: WorkflowRun, call: Call): Promise<StatusAnswer | undefined> {
  const { runs, notices } = call.context;
  const action = neededContextAction(run.template, run.state);
  if (action === undefined) return undefined;
  if (await runs.isSupervised(run)) {
    if (run.contextAction !== undefined) return endTurn(run, action);
    const requested = await runs.append(run, [requestOf(run, action)]);
    if (requested !== undefined) return endTurn(requested, action);
    const now = await runs.current();
    return now === undefined ? undefined : seeToContextAction(now, call);
  }
  if (run.contextAction?.phase === 'performed') {
    // It may have happened. No witness is left, and asking could do it twice.
    notices.add(
      `Your supervisor ran /${action} and went away before it saw whether it happened. If this conversation still holds what came before, run /${action} now.`,
    );
    await storeHere(run, { type: 'context-action.abandoned', reason: 'the supervisor went away' }, call);
    return undefined;
  }
  call.afterAnswer(() => storeHere(run, { type: 'context-action.asked', action }, call));
  return askAgent(run, action);
}

/** Repeats a request that may not have been seen, for a repeated call. */
export function askedBefore(run: WorkflowRun): StatusAnswer | undefined {
  const { template, state, contextActionEnd } = run;
  if (contextActionEnd !== 'asked') return undefined;
  const action = neededContextAction(template, { ...state, contextActionExecuted: false });
  return action && askAgent(run, action);
}

/** The last answer about this position was a context action, and the instructions were not sent since. */
export const isUnseen = async (run: WorkflowRun, { context }: Call): Promise<boolean> =>
  run.contextActionEnd === 'asked' ||
  (run.contextAction?.phase === 'performed' && !(await context.runs.isSupervised(run)));

/** The agent continued after it was asked. */
export function noteHeard(run: WorkflowRun, call: Call): void {
  if (run.contextActionEnd === 'asked') call.afterAnswer(() => storeHere(run, { type: 'context-action.heard' }, call));
}

export const requestOf = ({ state }: WorkflowRun, action: StepContextAction) =>
  contextActionEvent(state.visit, { type: 'context-action.requested', action });

const askAgent = (run: WorkflowRun, action: StepContextAction): StatusAnswer => ({
  contextAction: `/${action}`,
  message: `Please run \`/${action}\` first, then call workflow_status again.`,
  position: positionToken(run),
});

const endTurn = (run: WorkflowRun, action: StepContextAction): StatusAnswer => ({
  contextAction: `/${action}`,
  performedBy: 'supervisor',
  message: `End your turn now, without running anything. Your supervisor runs \`/${action}\` and then sends you the next instructions.`,
  position: positionToken(run),
});

/** Unless the position was left meanwhile, or continued in another way. */
async function storeHere(decidedOn: WorkflowRun, event: ContextActionEvent, { context }: Call): Promise<void> {
  const { state, contextActionEnd } = decidedOn;
  for (let run: WorkflowRun | undefined = decidedOn; run !== undefined; run = await context.runs.current()) {
    const isHere = run.id === decidedOn.id && run.state.visit === state.visit;
    if (!isHere || run.contextActionEnd !== contextActionEnd) return;
    const stored = await context.runs.append(run, [contextActionEvent(state.visit, event)]);
    if (stored !== undefined) return context.stateFile.save(stored);
  }
}
