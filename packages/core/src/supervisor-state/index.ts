export {
  blockerLines,
  buildPrompt,
  type ContextData,
  type ContextOptions,
  contextData,
  contextSection,
  type PromptOptions,
  type PromptTask,
  withContext,
} from './build-prompt.js';
export { describeProject, type ProjectRecord, type ProjectTexts, recordProject } from './describe-project.js';
export { fenced } from './fenced.js';
export { buildMinimalState, type MinimalState } from './minimal-state.js';
export { foldSupervisorState, readSupervisorState } from './read-supervisor-state.js';
export { reduceSupervisorState } from './reduce-supervisor-state.js';
export {
  type BlockedTask,
  emptySupervisorState,
  type FinishedTask,
  type SupervisorState,
  SupervisorStateSchema,
} from './supervisor-state.js';
export { supervisorStateJsonSchema } from './supervisor-state-json-schema.js';
