import {
  contextActionEvent,
  describeStatus,
  neededContextAction,
  type StepContextAction,
  type WorkflowRun,
} from '@devs/core';
import type { ToolCall } from '../tool.js';
import { positionToken } from './position-token.js';
import type { StatusAnswer } from './status-answer.js';
import type { WorkflowContext } from './workflow-context.js';

type Call = Pick<ToolCall<WorkflowContext>, 'context' | 'afterAnswer'>;

/**
 * Where the run stands, or, where its position asks for a context action that is not yet settled, that action. Under a
 * supervisor it is requested of the supervisor, and the answer stays the same until it was seen to happen. Otherwise the agent
 * is told, and that it was told is stored when the answer is out: whoever was interrupted before is told again.
 */
export async function answerRun(run: WorkflowRun, call: Call, notices: readonly string[] = []): Promise<StatusAnswer> {
  call.context.stateFile.save(run);
  const pending = await pendingContextAction(run, call);
  return pending ?? statusOf(run, call, notices);
}

/** The answer as long as the context action of the position is not settled. */
export async function pendingContextAction(run: WorkflowRun, call: Call): Promise<StatusAnswer | undefined> {
  const { runs } = call.context;
  const action = neededContextAction(run.template, run.state);
  if (action === undefined) return undefined;
  if (!(await runs.isSupervised(run))) {
    call.afterAnswer(() => storeAsked(run, action, call));
    return askAgent(action);
  }
  if (run.contextAction === undefined) {
    const requested = await runs.append(run, [requestOf(run, action)]);
    if (requested === undefined) {
      const now = await runs.current();
      return now === undefined ? undefined : pendingContextAction(now, call);
    }
  }
  return endTurn(action);
}

/** The same answer for a request that is repeated: as long as the agent was only told, it may not have heard. */
export async function replayRun(run: WorkflowRun, call: Call): Promise<StatusAnswer> {
  const pending = await pendingContextAction(run, call);
  if (pending !== undefined) return pending;
  const asked =
    run.contextActionEnd === 'asked'
      ? neededContextAction(run.template, { ...run.state, contextActionExecuted: false })
      : undefined;
  return asked === undefined ? statusOf(run, call, []) : askAgent(asked);
}

export const requestOf = ({ state }: WorkflowRun, action: StepContextAction) =>
  contextActionEvent(state.visit, { type: 'context-action.requested', action });

const askAgent = (action: StepContextAction): StatusAnswer => ({
  contextAction: `/${action}`,
  message: `Please run \`/${action}\` first, then call workflow_status again.`,
});

const endTurn = (action: StepContextAction): StatusAnswer => ({
  contextAction: `/${action}`,
  performedBy: 'supervisor',
  message: `End your turn now, without running anything. Your supervisor runs \`/${action}\` and then sends you the next instructions.`,
});

async function statusOf(run: WorkflowRun, { context }: Call, notices: readonly string[]): Promise<StatusAnswer> {
  const { notices: own = [], ...status } = describeStatus(run.template, run.state);
  const changed = (await context.templates.hasChanged(run.source))
    ? [`The file of this workflow has changed since the run began. The run goes on with the definition it began with.`]
    : [];
  const all = [...own, ...context.stateFile.takeNotices(), ...changed, ...notices];
  return { ...(status as StatusAnswer), ...(all.length > 0 && { notices: all }), position: positionToken(run) };
}

/** Unless the position was left meanwhile, or somebody else has stored it. */
async function storeAsked(asked: WorkflowRun, action: StepContextAction, { context }: Call): Promise<void> {
  const event = contextActionEvent(asked.state.visit, { type: 'context-action.asked', action });
  for (let run: WorkflowRun | undefined = asked; run !== undefined; run = await context.runs.current()) {
    const isOpen = run.id === asked.id && run.state.visit === asked.state.visit && !run.state.contextActionExecuted;
    if (!isOpen) return;
    const stored = await context.runs.append(run, [event]);
    if (stored !== undefined) return context.stateFile.save(stored);
  }
}
