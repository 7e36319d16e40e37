import { DevsError } from './devs-error.js';

/** An option that a caller set has a value that means nothing. */
export class InvalidOptionError extends DevsError {
  readonly code = 'OPTION_INVALID';
  readonly received: unknown;

  constructor({ option, received, allowed }: InvalidOption) {
    super(`${option} must be ${allowed}; received ${String(received)}`);
    this.received = received;
  }
}

interface InvalidOption {
  readonly option: string;
  readonly received: unknown;
  readonly allowed: string;
}
