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
  /** Earlier messages of the same exchange, oldest first. */
  readonly history?: readonly LlmMessage[];
}

/**
 * One call to a model.
 *
 * Contract: may reject; the client retries a busy or unreachable provider, the caller does not. A client that knows
 * the stop reason should pass it: without it, an answer cut between two elements of an array looks complete. Called
 * with one argument if there are no options.
 */
export interface LlmClient {
  complete(prompt: string, options?: CompleteOptions): Promise<string | LlmAnswer>;
}
