/** Context action to perform before executing a step. */
export type StepContextAction = 'compact' | 'clear';

/** What to do when a step fails. `retry` is bounded by `retries`; `skip` abandons the step or, in a loop, the task. */
export type OnFail = 'retry' | 'skip' | 'abort';

/** An agent that steps may name; shown to the agent that works on the step. */
export interface AgentConfig {
  readonly description: string;
  /** The only tools it may use. */
  readonly tools?: readonly string[];
  /** Forbidden actions. */
  readonly cannot?: readonly string[];
}

export interface WorkflowStep {
  /** Unique identifier for this step */
  readonly id: string;
  /** Type of step: 'action' for single steps, 'loop' for iterating over tasks, 'ralph' for n iterations */
  readonly type: 'action' | 'loop' | 'ralph';
  /** Agent to execute this step (omit for main agent) */
  readonly agent?: string;
  /** Instructions for action and ralph steps */
  readonly instructions?: string;
  /** The loop whose sub-steps a loop step repeats. Default: the loop with the step's id, or the only one. */
  readonly loop?: string;
  /** Number of iterations for ralph steps */
  readonly n?: number;
  /** Enable artefact tracking for this step */
  readonly artefacts?: boolean;
  /** What to do if this step fails; of a loop step, if a sub-step without its own fails. Default: abort */
  readonly on_fail?: OnFail;
  /** How often `retry` tries again. Default: 3 */
  readonly retries?: number;
  /** Optional context action to perform before executing this step */
  readonly context?: StepContextAction;
}

export interface LoopStep {
  /** Unique identifier for this sub-step within the loop */
  readonly id: string;
  /** Agent to execute this step (omit to use main agent) */
  readonly agent?: string;
  /** Instructions for what to do in this step; `{task.id}`, `{task.title}` and `{task.description}` are filled in */
  readonly instructions: string;
  /** Action to take if this step fails */
  readonly on_fail?: OnFail;
  /** How often `retry` tries again. Default: 3 */
  readonly retries?: number;
  /** Optional context action to perform before executing this sub-step */
  readonly context?: StepContextAction;
}

export interface WorkflowTemplate {
  readonly name: string;
  readonly description: string;
  readonly agents?: Readonly<Record<string, AgentConfig>>;
  readonly loops?: Readonly<Record<string, readonly LoopStep[]>>;
  /** At least one. */
  readonly steps: readonly [WorkflowStep, ...WorkflowStep[]];
}

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
