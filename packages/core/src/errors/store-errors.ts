import { DevsError } from './devs-error.js';

/** A name, an id or a text that the store does not take. The message says what is allowed. */
export class StoreInputError extends DevsError {
  readonly code = 'STORE_INPUT_INVALID';
  readonly field: string;

  constructor(field: string, allowed: string) {
    super(`${field}: ${allowed}`);
    this.field = field;
  }
}

/** The database cannot be reached, or cannot be used. The message says what to do. */
export class StoreUnavailableError extends DevsError {
  readonly code = 'STORE_UNAVAILABLE';
}

/** Another store, or an empty one, is where this one was: nothing is written to it. The message says what to do. */
export class StoreReplacedError extends DevsError {
  readonly code = 'STORE_REPLACED';
}

/** So many others changed the same thing at the same time that it was given up. Trying again later may work. */
export class StoreContendedError extends DevsError {
  readonly code = 'STORE_CONTENDED';
}
