/** The arguments of a call do not match the tool's schema. The message tells the agent which, and what is allowed. */
export class InvalidArgumentsError extends Error {
  readonly code = 'INVALID_ARGUMENTS';
  override readonly name = 'InvalidArgumentsError';
}
