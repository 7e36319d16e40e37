import { DevsError } from './devs-error.js';

/** A model client broke its contract: its answer is neither a string nor an object with a text. */
export class ModelAnswerError extends DevsError {
  readonly code = 'MODEL_ANSWER_INVALID';

  constructor(received: unknown) {
    super(`The model client answered with ${describe(received)}; expected a string or { text: string }`);
  }
}

const describe = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'an array' : typeof value);
