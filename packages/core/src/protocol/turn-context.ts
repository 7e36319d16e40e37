import type { LlmMessage } from '../ports/llm-client.js';

/** Agent, position and history of a turn. */
export interface TurnContext {
  readonly threadId: string;
  readonly taskId: string;
  readonly agentRole: string;
  readonly turnIndex: number;
  readonly signal?: AbortSignal;
  /** The exchange of a follow-up question, so that the model knows the original request. */
  readonly history?: readonly LlmMessage[];
}
