/** A command cannot do its work. The message says why and what to do; it is shown without a stack. */
export class CliError extends Error {
  override readonly name: string = 'CliError';
}

/** A usage error: exit code 2. */
export class UsageError extends CliError {
  override readonly name = 'UsageError';
}
