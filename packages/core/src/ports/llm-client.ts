export interface TokenUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export interface LlmAnswer {
  readonly text: string;
  /** Why the answer ended, in the provider's own word: `end_turn`, `stop`, `max_tokens`, `length`… */
  readonly stopReason?: string | undefined;
  readonly usage?: TokenUsage | undefined;
}

export interface LlmMessage {
  readonly role: 'user' | 'assistant';
  readonly text: string;
}

export interface CompleteOptions {
  readonly signal?: AbortSignal;
  /** What was said before `prompt` in the same exchange, oldest first. */
  readonly history?: readonly LlmMessage[];
}

/**
 * One call to a model.
 *
 * Contract: may reject; retrying a provider that is busy or out of reach is its own business, the caller does not.
 * A client that knows the stop reason should give it: without one, an answer that ends between two elements of an
 * array cannot be told from a whole one. Called with one argument where there are no options to pass.
 */
export interface LlmClient {
  complete(prompt: string, options?: CompleteOptions): Promise<string | LlmAnswer>;
}
