/** A mistake of the model, or a missing file: reported to the model, which continues. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
}
