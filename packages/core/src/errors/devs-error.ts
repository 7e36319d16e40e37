export type DevsErrorCode =
  | 'RESUME_FAILED'
  | 'RESPONSE_MALFORMED'
  | 'MODEL_ANSWER_INVALID'
  | 'MODEL_FAILED'
  | 'SCENARIO_INVALID'
  | 'OPTION_INVALID'
  | 'STORE_INPUT_INVALID'
  | 'STORE_UNAVAILABLE'
  | 'STORE_REPLACED'
  | 'STORE_FOREIGN'
  | 'EVENT_DAMAGED'
  | 'STORE_CONTENDED'
  | 'TERMINAL_HOST_REFUSED'
  | 'TERMINAL_HOST_UNAVAILABLE'
  | 'WORKFLOW_INVALID'
  | 'WORKFLOW_INPUT_INVALID';

/** An error that a caller can tell by its code, with facts as fields and its cause kept. */
export abstract class DevsError extends Error {
  abstract readonly code: DevsErrorCode;

  override get name(): string {
    return this.constructor.name;
  }
}
