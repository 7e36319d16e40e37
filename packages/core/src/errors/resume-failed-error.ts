import { DevsError } from './devs-error.js';

/** A cut-off answer could not be completed. Only the user can decide how to continue. */
export class ResumeFailedError extends DevsError {
  readonly code = 'RESUME_FAILED';
  /** Text received before the failure. */
  readonly prefix: string;
  /** The last completion that the model gave. */
  readonly completion: string;
  readonly reason: string | undefined;
  /** The joined text, where it is complete JSON but not an envelope: that can still be corrected. */
  readonly document: string | undefined;

  constructor({ prefix, completion, reason, document, cause }: ResumeFailure) {
    const why = reason === undefined ? '' : `: ${reason}`;
    super(`Resume failed after ${prefix.length} + ${completion.length} characters${why}`, { cause });
    this.prefix = prefix;
    this.completion = completion;
    this.reason = reason;
    this.document = document;
  }
}

export interface ResumeFailure {
  readonly prefix: string;
  readonly completion: string;
  readonly reason?: string;
  readonly document?: string;
  readonly cause?: unknown;
}
