export type {
  AgentConfig,
  LoopStep,
  OnFail,
  StepContextAction,
  WorkflowStep,
  WorkflowTemplate,
} from './template/template-schema.js';

export type TaskProgress = 'pending' | 'in_progress' | 'done' | 'failed';

/** One round of a loop. */
export interface Task {
  readonly id: string;
  readonly title: string;
  readonly description?: string;
  /** Ids of tasks that must be done first. */
  readonly depends_on?: readonly string[];
  readonly status: TaskProgress;
}

export interface TaskContext {
  /** Its place in the order in which the tasks are done, from 0. */
  readonly index: number;
  readonly id: string;
  readonly title: string;
}

export interface WorkflowState {
  /** Overall workflow status */
  readonly status: 'running' | 'complete' | 'failed';
  /** Current main step ID */
  readonly step: string;
  /** Type of the current step */
  readonly stepType: 'action' | 'loop' | 'ralph';
  /** Current task context (only for loop steps) */
  readonly task?: TaskContext;
  /** Current sub-step ID within a loop (only for loop steps) */
  readonly subStep?: string;
  /** Current iteration for ralph steps (1-based) */
  readonly ralphIteration?: number;
  /** Tasks by the id of their loop step, in the order in which they are done */
  readonly tasks: Readonly<Record<string, readonly Task[]>>;
  /** Outputs from completed steps, keyed by "step.task.subStep", "step", or "step.iteration" for ralph steps */
  readonly outputs: Readonly<Record<string, string>>;
  /** Brief summary of the user's request (recommended: keep under 100 characters) */
  readonly summary?: string;
  /** Tracked artefact paths (absolute) */
  readonly artefacts: readonly string[];
  /** Whether artefact tracking is enabled for the current step */
  readonly currentStepArtefacts?: boolean;
  /** Whether the context action for the current step has been executed */
  readonly contextActionExecuted: boolean;
  /** How many positions have been entered so far: names the current one, also where a step is tried again. */
  readonly visit: number;
  /** Which attempt at the current position this is, where it is not the first, and why the last one failed. */
  readonly retry?: { readonly attempt: number; readonly reason: string };
  /** Why the workflow failed (only with status 'failed') */
  readonly failure?: { readonly at: string; readonly reason: string };
  /** What was skipped on the way to the current position, and why */
  readonly notices?: readonly string[];
}
