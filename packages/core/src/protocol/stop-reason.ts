/** Why providers say that an answer ended before the model was done. */
const CUT_OFF: ReadonlySet<string> = new Set([
  'length', // OpenAI and compatible servers
  'max_tokens', // Anthropic; Gemini in capitals
  'max_output_tokens', // OpenAI responses
  'model_context_window_exceeded', // Anthropic
]);

/** Whether the provider says that the answer was cut off. Without a word from it, no. */
export const isCutOff = (stopReason: unknown) =>
  typeof stopReason === 'string' && CUT_OFF.has(stopReason.toLowerCase());
