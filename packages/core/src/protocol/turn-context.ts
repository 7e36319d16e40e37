import type { LlmMessage } from '../ports/llm-client.js';

/** Whose turn it is, where, and what was said in it so far. */
export interface TurnContext {
  readonly threadId: string;
  readonly taskId: string;
  readonly agentRole: string;
  readonly turnIndex: number;
  readonly signal?: AbortSignal;
  /** The exchange that a follow-up question belongs to, so that the model knows what it was asked in the first place. */
  readonly history?: readonly LlmMessage[];
}
