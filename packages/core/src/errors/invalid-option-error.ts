import { DevsError } from './devs-error.js';

/** An option that a caller set has a value that means nothing. */
export class InvalidOptionError extends DevsError {
  readonly code: 'THRESHOLD_INVALID' | 'BUDGET_INVALID';
  readonly received: unknown;

  constructor({ code, option, received, allowed }: InvalidOption) {
    super(`${option} must be ${allowed}; received ${String(received)}`);
    this.code = code;
    this.received = received;
  }
}

interface InvalidOption {
  readonly code: 'THRESHOLD_INVALID' | 'BUDGET_INVALID';
  readonly option: string;
  readonly received: unknown;
  readonly allowed: string;
}
