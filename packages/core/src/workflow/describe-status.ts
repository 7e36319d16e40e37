import { fitTokens } from '../tokens/fit-tokens.js';
import { fillPlaceholders } from './fill-placeholders.js';
import { agentAt, failurePolicyAt, type Position, positionOf } from './position.js';
import type { AgentConfig, TaskContext, WorkflowState, WorkflowTemplate } from './types.js';

/** Information for an agent at the current position. */
export interface WorkflowStatusResponse {
  readonly status: WorkflowState['status'];
  readonly step: string;
  readonly stepType: WorkflowState['stepType'];
  readonly task?: TaskContext;
  readonly subStep?: string;
  readonly ralphIteration?: number;
  /** The agent named by the step, and its description. */
  readonly agent?: string;
  readonly agentConfig?: AgentConfig;
  readonly instructions: string;
  /** What to know about the instructions: that they repeat on purpose. */
  readonly message?: string;
  /** Counted from 1. */
  readonly progress: {
    readonly step: number;
    readonly steps: number;
    readonly task?: number;
    readonly tasks?: number;
    readonly subStep?: number;
    readonly subSteps?: number;
    readonly iteration?: number;
    readonly iterations?: number;
  };
  /** Files made in this step should be registered. */
  readonly artefacts?: boolean;
  readonly retry?: { readonly attempt: number; readonly attempts: number; readonly reason: string };
  readonly failure?: { readonly at: string; readonly reason: string };
  readonly notices?: readonly string[];
  readonly summary?: string;
}

export function describeStatus(template: WorkflowTemplate, state: WorkflowState): WorkflowStatusResponse {
  const at = positionOf(template, state);
  const { status, step, stepType, task, subStep, ralphIteration, retry, failure, notices, summary } = state;
  const isRunning = status === 'running';
  const agent = isRunning ? agentAt(at) : undefined;
  const agentConfig = agent === undefined ? undefined : template.agents?.[agent];
  return {
    status,
    step,
    stepType,
    ...(task !== undefined && { task }),
    ...(subStep !== undefined && { subStep }),
    ...(ralphIteration !== undefined && { ralphIteration }),
    ...(agent !== undefined && { agent }),
    ...(agentConfig !== undefined && { agentConfig }),
    instructions: instructionsAt(at, state),
    ...(isRunning && roundMessage(at, state)),
    progress: progressAt(template, at, state),
    ...(isRunning && state.currentStepArtefacts === true && { artefacts: true }),
    ...(isRunning &&
      retry !== undefined && {
        retry: { attempt: retry.attempt, attempts: failurePolicyAt(at).retries + 1, reason: shown(retry.reason) },
      }),
    ...(failure !== undefined && { failure: { at: failure.at, reason: shown(failure.reason) } }),
    ...(notices !== undefined && { notices: showNotices(notices) }),
    ...(summary !== undefined && { summary }),
  };
}

const MAX_REASON_TOKENS = 400;
const MAX_NOTICES = 20;

/** A failure may come with a whole log as its reason. */
const shown = (text: string) => fitTokens(text, MAX_REASON_TOKENS);

function showNotices(notices: readonly string[]): readonly string[] {
  const more = notices.length - MAX_NOTICES;
  return [...notices.slice(0, MAX_NOTICES).map(shown), ...(more > 0 ? [`… and ${more} more of this kind.`] : [])];
}

function instructionsAt({ step, task, subStep }: Position, { status, failure }: WorkflowState): string {
  if (status === 'complete') return 'The workflow is complete. There is nothing left to do.';
  if (status === 'failed')
    return `The workflow has failed at '${failure?.at ?? step.id}'. There is nothing left to do.`;
  if (step.type !== 'loop') return step.instructions ?? '';
  if (task !== undefined && subStep !== undefined) return fillPlaceholders(subStep.instructions, task);
  return `Call workflow_set_tasks with loopId '${step.id}' and the tasks that its sub-steps should be done for, each with id, title and, where it helps, description and depends_on. An empty list skips this step.`;
}

/** The same instructions again look like an advance that was lost. */
function roundMessage({ step }: Position, { ralphIteration = 1 }: WorkflowState): { readonly message?: string } {
  const rounds = step.n ?? 1;
  if (step.type !== 'ralph' || rounds === 1) return {};
  const next =
    ralphIteration === 1
      ? 'Do what one round can do; later rounds improve it.'
      : 'The earlier rounds are stored; look at what they left, and improve it.';
  return {
    message: `Round ${ralphIteration} of ${rounds}: this step repeats on purpose, with the same instructions. ${next}`,
  };
}

function progressAt(
  { steps }: WorkflowTemplate,
  at: Position,
  state: WorkflowState,
): WorkflowStatusResponse['progress'] {
  const { index, step, tasks, subSteps, subStep } = at;
  return {
    step: index + 1,
    steps: steps.length,
    ...(tasks !== undefined && { tasks: tasks.length }),
    ...(state.task !== undefined && { task: state.task.index + 1 }),
    ...(subStep !== undefined && { subStep: subSteps.indexOf(subStep) + 1, subSteps: subSteps.length }),
    ...(step.type === 'ralph' && { iteration: state.ralphIteration ?? 1, iterations: step.n ?? 1 }),
  };
}
