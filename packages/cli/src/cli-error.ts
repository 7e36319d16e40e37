/** A command cannot do what it was asked for. The message says why and what to do; it is shown without a stack. */
export class CliError extends Error {
  override readonly name = 'CliError';
}
