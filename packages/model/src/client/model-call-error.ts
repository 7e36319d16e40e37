import { DevsError } from '@devs/core';

export interface FailedCall {
  readonly status?: number | undefined;
  /** How long the provider asks to wait. */
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

/** A provider could not be asked, or broke off, also after every retry. */
export class ModelCallError extends DevsError {
  readonly code = 'MODEL_FAILED';
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(message: string, { status, retryAfterMs, cause }: FailedCall) {
    super(message, { cause });
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}
