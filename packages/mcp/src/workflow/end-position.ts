import { neededContextAction, type WorkflowRun } from '@devs/core';
import type { ToolCall } from '../tool.js';
import { answerEnd, answerRun, replayEnd } from './answer-run.js';
import { isUnseen, seeToContextAction } from './context-action.js';
import { decideEvents, outcomeOf, type RunChange } from './decide-events.js';
import { visitOf } from './position-token.js';
import { type RunAccess, untilSettled } from './run-access.js';
import type { StatusAnswer } from './status-answer.js';
import type { WorkflowContext } from './workflow-context.js';
import { notStarted, WorkflowToolError } from './workflow-tool-error.js';

type Ending = Extract<RunChange, { type: 'step.completed' | 'step.failed' }>;

/**
 * Ends the position that `token` names, or the current one: once, however often it is asked for. A request that is repeated gets
 * the answer of the first; one for a position that was left by now changes nothing.
 */
export async function endPosition(
  event: Ending,
  token: string | undefined,
  call: ToolCall<WorkflowContext>,
): Promise<StatusAnswer> {
  const { runs } = call.context;
  const first = (await lastKnownFor(event, token, runs)) ?? (await runs.current());
  if (first === undefined) throw notStarted();
  // Without a token it is the current position: if another caller leaves it meanwhile, it is not ended twice.
  const visit = token === undefined ? first.state.visit : visitOf(token, first);
  if (visit === undefined) throw unknownPosition(token ?? '');

  let run: WorkflowRun | undefined = first;
  return untilSettled(async () => {
    if (run === undefined) throw notStarted();
    if (run.id !== first.id && token !== undefined) throw unknownPosition(token);
    if (run.id !== first.id || run.state.visit !== visit) return alreadyLeft(run, visit, call);
    if (token === undefined && (await isUnseen(run, call))) throw unseenPosition(run);
    const pending = await seeToContextAction(run, call);
    if (pending !== undefined) return pending;
    if (run.state.status !== 'running') return answerRun(run, call);
    const stored = await runs.append(run, (await decideEvents(run, event, runs)).events);
    if (stored !== undefined) return answerEnd(stored, call);
    run = await runs.current();
    return undefined;
  });
}

/**
 * The run as it was last seen, where that is enough: something is stored about it, and that it has changed is noticed then.
 */
async function lastKnownFor(
  event: Ending,
  token: string | undefined,
  runs: RunAccess,
): Promise<WorkflowRun | undefined> {
  const run = token === undefined ? undefined : await runs.lastKnown();
  if (run === undefined || visitOf(token ?? '', run) !== run.state.visit) return undefined;
  const isStored = neededContextAction(run.template, run.state) === undefined && outcomeOf(run, event).result.ok;
  return isStored ? run : undefined;
}

async function alreadyLeft(run: WorkflowRun, visit: number, call: ToolCall<WorkflowContext>): Promise<StatusAnswer> {
  if (run.lastEnded === visit && run.state.visit === visit + 1) return replayEnd(run, call);
  return answerRun(run, call, [
    'The position that you named was left before; nothing was changed. This is where the workflow stands now.',
  ]);
}

/** The agent means the step before this one, or has skipped a call: either way it cannot know what it would end. */
const unseenPosition = ({ state }: WorkflowRun) =>
  new WorkflowToolError(
    'POSITION_UNSEEN',
    `Nothing was changed: the instructions of step '${state.step}' were not shown yet. Do what the last "message" says, call workflow_status, carry out its "instructions", then call this tool with its "position".`,
  );

const unknownPosition = (token: string) =>
  new WorkflowToolError(
    'POSITION_UNKNOWN',
    `position '${token}' is none of this run. Call workflow_status and pass on the position that it gives.`,
  );
