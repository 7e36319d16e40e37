import { DevsError } from './devs-error.js';

/** A name, id or text that the store rejects. The message says what is allowed. */
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

/** The store belongs to another repository: nothing is read from it or written to it. */
export class ForeignStoreError extends DevsError {
  readonly code = 'STORE_FOREIGN';
  /** The repository it belongs to, as named by its creator. */
  readonly owner: string;

  constructor(owner: string) {
    super(`the store belongs to another repository: ${owner}`);
    this.owner = owner;
  }
}

/** One event of the log cannot be read. All others can. */
export class DamagedEventError extends DevsError {
  readonly code = 'EVENT_DAMAGED';
  readonly position: number;
  readonly stream: string;

  constructor({ position, stream }: { readonly position: number; readonly stream: string }, options?: ErrorOptions) {
    super(
      `the event at position ${position} (${stream}) is damaged. Save all others with \`devs debug export FILE --skip-damaged\`, move the store away, and begin a new one with \`devs debug import FILE\``,
      options,
    );
    this.position = position;
    this.stream = stream;
  }
}

/** Too many concurrent changes to the same thing. Trying again later may work. */
export class StoreContendedError extends DevsError {
  readonly code = 'STORE_CONTENDED';
}
