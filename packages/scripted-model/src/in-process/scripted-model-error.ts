import { DevsError } from '@devs/core';

/** The script let the call fail. */
export class ScriptedModelError extends DevsError {
  readonly code = 'MODEL_FAILED';
  readonly status: number | undefined;

  constructor(message: string, status?: number) {
    super(message);
    this.status = status;
  }
}
