import { describeStatus, type WorkflowRun } from '@devs/core';
import { askedBefore, type Call, noteHeard, seeToContextAction } from './context-action.js';
import { positionToken } from './position-token.js';
import type { StatusAnswer } from './status-answer.js';

/** Position of the run with notices about this call, or the context action that comes first. */
export async function answerRun(run: WorkflowRun, call: Call, notices: readonly string[] = []): Promise<StatusAnswer> {
  call.context.stateFile.save(run);
  return (await seeToContextAction(run, call)) ?? statusWithRecords(run, call, { notices });
}

/** At the beginning of a conversation. */
export async function answerStart(run: WorkflowRun, call: Call): Promise<StatusAnswer> {
  call.context.stateFile.save(run);
  return (await seeToContextAction(run, call)) ?? statusWithRecords(run, call, { isNews: true });
}

/** After a step has ended: what its supervisor has to do, if anything, comes before the next one. */
export async function answerEnd(run: WorkflowRun, call: Call): Promise<StatusAnswer> {
  call.context.stateFile.save(run);
  return (
    (await seeToContextAction(run, call)) ??
    (await pauseFor(run, call)) ??
    statusWithRecords(run, call, { isNews: true })
  );
}

/** The same for a request that is repeated. */
export const replayEnd = async (run: WorkflowRun, call: Call): Promise<StatusAnswer> =>
  (await seeToContextAction(run, call)) ??
  (await pauseFor(run, call)) ??
  askedBefore(run) ??
  statusWithRecords(run, call, { isNews: true });

async function pauseFor(run: WorkflowRun, { context }: Call): Promise<StatusAnswer | undefined> {
  if (run.turnEndWanted === undefined || run.state.status !== 'running') return undefined;
  if (!(await context.runs.isSupervised(run))) return undefined; // no supervisor is there to continue it
  return {
    performedBy: 'supervisor',
    message:
      'The step is done. End your turn now, without running anything. Your supervisor sends you the next instructions in a moment.',
    position: positionToken(run),
  };
}

/** The same answer for a repeated request: the agent may not have received the first. */
export async function replayRun(run: WorkflowRun, call: Call): Promise<StatusAnswer> {
  return (await seeToContextAction(run, call)) ?? askedBefore(run) ?? statusWithRecords(run, call, {});
}

interface Telling {
  readonly notices?: readonly string[];
  /** The agent has not seen this position yet. */
  readonly isNews?: boolean;
}

/** Adds the records at the beginning of a step, and after a compacted or cleared conversation. */
async function statusWithRecords(run: WorkflowRun, call: Call, telling: Telling): Promise<StatusAnswer> {
  const { notices = [], isNews = false } = telling;
  const status = statusOf(run, call, notices);
  const isDue = run.state.status === 'running' && (isNews || run.contextActionEnd !== undefined);
  const context = isDue ? await call.context.recorded() : undefined;
  return context === undefined ? status : { ...status, context };
}

function statusOf(run: WorkflowRun, call: Call, about: readonly string[]): StatusAnswer {
  const { templates, notices, statuses } = call.context;
  noteHeard(run, call);
  const changed = templates.hasChanged(run.source)
    ? [
        'The file of this workflow has changed since the run began. The run continues with the definition it began with.',
      ]
    : [];
  const told = [...changed, ...notices.take(), ...about];
  // Asked for again and again while nothing changes: the same object is the same answer.
  const status = statuses.get(run) ?? describe(run);
  statuses.set(run, status);
  return told.length === 0 ? status : { ...status, notices: [...(status.notices ?? []), ...told] };
}

function describe(run: WorkflowRun): StatusAnswer {
  const { notices, agentConfig, ...status } = describeStatus(run.template, run.state);
  return {
    ...status,
    ...(agentConfig !== undefined && {
      agentConfig: { description: agentConfig.description, ...listsOf(agentConfig) },
    }),
    ...(notices !== undefined && { notices: [...notices] }),
    position: positionToken(run),
  };
}

/** Lists that the schema of the answer may take over. */
const listsOf = ({ tools, cannot }: { readonly tools?: readonly string[]; readonly cannot?: readonly string[] }) => ({
  ...(tools !== undefined && { tools: [...tools] }),
  ...(cannot !== undefined && { cannot: [...cannot] }),
});
