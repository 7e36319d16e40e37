/** What the model did wrong, or what is not there: told to it, and it goes on. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
}
