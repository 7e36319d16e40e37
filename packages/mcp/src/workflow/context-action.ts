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
 * Sees to the context action of the position, where it is not settled, and gives the answer that tells so. Under a supervisor it
 * is requested of the supervisor, and the answer stays the same until it was seen to happen. Otherwise the agent is told, and
 * that it was told is stored when the answer is out: whoever was interrupted before is told again.
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
    // It may have happened. Nobody who could tell is left, and asking could do it twice.
    notices.add(
      `Your supervisor ran /${action} and went away before it saw whether it happened. If this conversation still holds what came before, run /${action} now.`,
    );
    await storeHere(run, { type: 'context-action.abandoned', reason: 'the supervisor went away' }, call);
    return undefined;
  }
  call.afterAnswer(() => storeHere(run, { type: 'context-action.asked', action }, call));
  return askAgent(run, action);
}

/** What was asked and not known to be heard, once more: for a request that is repeated. */
export function askedBefore(run: WorkflowRun): StatusAnswer | undefined {
  const { template, state, contextActionEnd } = run;
  if (contextActionEnd !== 'asked') return undefined;
  const action = neededContextAction(template, { ...state, contextActionExecuted: false });
  return action && askAgent(run, action);
}

/** The last answer about this position was a context action, and nobody has told the instructions since. */
export const isUnseen = async (run: WorkflowRun, { context }: Call): Promise<boolean> =>
  run.contextActionEnd === 'asked' ||
  (run.contextAction?.phase === 'performed' && !(await context.runs.isSupervised(run)));

/** The agent has gone on after it was asked. */
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

/** Unless the position was left meanwhile, or it went on there in another way. */
async function storeHere(decidedOn: WorkflowRun, event: ContextActionEvent, { context }: Call): Promise<void> {
  const { state, contextActionEnd } = decidedOn;
  for (let run: WorkflowRun | undefined = decidedOn; run !== undefined; run = await context.runs.current()) {
    const isHere = run.id === decidedOn.id && run.state.visit === state.visit;
    if (!isHere || run.contextActionEnd !== contextActionEnd) return;
    const stored = await context.runs.append(run, [contextActionEvent(state.visit, event)]);
    if (stored !== undefined) return context.stateFile.save(stored);
  }
}
