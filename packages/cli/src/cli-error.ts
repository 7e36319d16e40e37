/** A command cannot do what it was asked for. The message says why and what to do; it is shown without a stack. */
export class CliError extends Error {
  override readonly name: string = 'CliError';
}

/** What was asked for makes no sense as it stands: exit code 2. */
export class UsageError extends CliError {
  override readonly name = 'UsageError';
}
