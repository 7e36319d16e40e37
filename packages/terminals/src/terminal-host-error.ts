import { DevsError } from '@devs/core';
import type { Refusal } from './protocol/messages.js';

/** The host said no. Asking again changes nothing unless something else changes first. */
export class TerminalHostRefusedError extends DevsError {
  readonly code = 'TERMINAL_HOST_REFUSED';
  readonly refusal: Refusal;

  constructor(refusal: Refusal, message: string) {
    super(message);
    this.refusal = refusal;
  }
}

/** There is no host to talk to, or it went away. The message says what to do. */
export class TerminalHostUnavailableError extends DevsError {
  readonly code = 'TERMINAL_HOST_UNAVAILABLE';

  constructor(message: string, cause?: unknown) {
    super(message, { cause });
  }
}
