/** The arguments of a call do not fit the tool's schema. The message says, for the agent, which and what is allowed. */
export class InvalidArgumentsError extends Error {
  readonly code = 'INVALID_ARGUMENTS';
  override readonly name = 'InvalidArgumentsError';
}
