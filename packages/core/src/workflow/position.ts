import { resolveLoop } from './resolve-loop.js';
import type {
  LoopStep,
  OnFail,
  StepContextAction,
  Task,
  WorkflowState,
  WorkflowStep,
  WorkflowTemplate,
} from './types.js';

const DEFAULT_RETRIES = 3;

/** Where in the template a state is. */
export interface Position {
  readonly index: number;
  readonly step: WorkflowStep;
  /** Of a loop step; empty for others. */
  readonly subSteps: readonly LoopStep[];
  /** Of a loop step, once they are set. */
  readonly tasks: readonly Task[] | undefined;
  readonly subStep: LoopStep | undefined;
  readonly task: Task | undefined;
}

export function positionOf(template: WorkflowTemplate, state: WorkflowState): Position {
  const index = template.steps.findIndex(({ id }) => id === state.step);
  const step = template.steps[index];
  if (step === undefined) throw new RangeError(`the workflow '${template.name}' has no step '${state.step}'`);
  const subSteps = step.type === 'loop' ? (resolveLoop(template, step) ?? []) : [];
  const tasks = step.type === 'loop' ? tasksOf(state, step.id) : undefined;
  return {
    index,
    step,
    subSteps,
    tasks,
    subStep: subSteps.find(({ id }) => id === state.subStep),
    task: tasks?.find(({ id }) => id === state.task?.id),
  };
}

/** A loop that is called `constructor` has no tasks just because every object has one. */
export const tasksOf = ({ tasks }: WorkflowState, step: string): readonly Task[] | undefined =>
  Object.hasOwn(tasks, step) ? tasks[step] : undefined;

/** A position's context action, inherited from its loop step by default. */
const contextActionAt = ({ step, subStep }: Position): StepContextAction | undefined =>
  subStep?.context ?? step.context;

export const agentAt = ({ step, subStep }: Position): string | undefined => subStep?.agent ?? step.agent;

export const failurePolicyAt = ({
  step,
  subStep,
}: Position): { readonly onFail: OnFail; readonly retries: number } => ({
  onFail: subStep?.on_fail ?? step.on_fail ?? 'abort',
  retries: subStep?.retries ?? step.retries ?? DEFAULT_RETRIES,
});

/** The context action to perform before the current position. */
export const neededContextAction = (template: WorkflowTemplate, state: WorkflowState): StepContextAction | undefined =>
  state.status !== 'running' || state.contextActionExecuted ? undefined : contextActionAt(positionOf(template, state));
