import type { WorkflowRefusal } from '../workflow/refusal.js';
import { DevsError } from './devs-error.js';

/** Input that the workflow does not accept at its position. The message says what to do instead. */
export class WorkflowInputError extends DevsError {
  readonly code = 'WORKFLOW_INPUT_INVALID';
  readonly refusal: WorkflowRefusal['code'] | 'STATE_MISMATCH';

  constructor(refusal: WorkflowInputError['refusal'], message: string) {
    super(message);
    this.refusal = refusal;
  }
}
