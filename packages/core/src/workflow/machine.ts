// All but the loader, which brings a YAML parser that most programs of devs never need.
export { WorkflowInputError } from '../errors/workflow-input-error.js';
export { TASK_LIMITS } from './check-tasks.js';
export {
  type ContextActionDecision,
  type ContextActionMode,
  type ContextActionPolicy,
  type ContextActionProgress,
  decideContextAction,
} from './context-action.js';
export { describeStatus, type WorkflowStatusResponse } from './describe-status.js';
export { neededContextAction } from './position.js';
export type { WorkflowRefusal } from './refusal.js';
export { resolveLoop } from './resolve-loop.js';
export { type OutputQuery, type SelectedOutputs, selectOutputs } from './select-outputs.js';
export { WorkflowStateMachine } from './state.js';
export { initialState, type Transition, transition, type WorkflowEvent } from './transition.js';
export type * from './types.js';
export {
  type ContextActionEvent,
  contextActionEvent,
  createRunFold,
  type RunFold,
  type RunStart,
  reduceWorkflowRun,
  runEvent,
  runStarted,
  runStream,
  type WorkflowRun,
} from './workflow-run.js';
