import type { WorkflowRefusal } from '@devs/core';

type Code =
  | WorkflowRefusal['code']
  | 'WORKFLOW_NOT_STARTED'
  | 'WORKFLOW_RUNNING'
  | 'WORKFLOW_UNKNOWN'
  | 'WORKFLOW_UNFIT'
  | 'RUN_UNREADABLE'
  | 'RUN_ELSEWHERE'
  | 'POSITION_UNKNOWN'
  | 'POSITION_UNSEEN'
  | 'PATHS_INVALID';

/** An invalid request of an agent, with a message that says what to do instead. */
export class WorkflowToolError extends Error {
  readonly code: Code;

  constructor(code: Code, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }

  override get name(): string {
    return this.constructor.name;
  }
}

export const notStarted = () =>
  new WorkflowToolError('WORKFLOW_NOT_STARTED', 'Workflow not started. Call workflow_start first.');
