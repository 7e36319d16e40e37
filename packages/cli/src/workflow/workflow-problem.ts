import type { WorkflowValidationError } from '@devs/core/workflow';

/** One thing that is wrong with a workflow, and where. */
export type WorkflowProblem = WorkflowValidationError['problems'][number];
