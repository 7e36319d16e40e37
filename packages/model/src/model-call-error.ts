import { DevsError } from '@devs/core';

export interface FailedCall {
  readonly status?: number | undefined;
  /** How long the provider asks to wait. */
  readonly retryAfterMs?: number | undefined;
  /** There was no connection to the server at all. */
  readonly isUnreachable?: boolean;
  readonly cause?: unknown;
}

/** A provider could not be asked, or broke off, also after every retry. */
export class ModelCallError extends DevsError {
  readonly code = 'MODEL_FAILED';
  readonly status: number | undefined;
  readonly retryAfterMs: number | undefined;
  readonly isUnreachable: boolean;

  constructor(message: string, { status, retryAfterMs, isUnreachable = false, cause }: FailedCall) {
    super(message, { cause });
    this.status = status;
    this.retryAfterMs = retryAfterMs;
    this.isUnreachable = isUnreachable;
  }
}
