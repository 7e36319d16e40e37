/** What an agent did that cannot be done, in words that tell it what to do instead. */
export class WorkflowToolError extends Error {
  readonly code:
    | 'WORKFLOW_NOT_STARTED'
    | 'WORKFLOW_RUNNING'
    | 'POSITION_UNKNOWN'
    | 'WORKFLOW_UNKNOWN'
    | 'PATHS_INVALID';

  constructor(code: WorkflowToolError['code'], message: string) {
    super(message);
    this.code = code;
  }

  override get name(): string {
    return this.constructor.name;
  }
}

export const notStarted = () =>
  new WorkflowToolError('WORKFLOW_NOT_STARTED', 'Workflow not started. Call workflow_start first.');
