/** How a client speaks; `in-process` is the client without a wire. */
export type ApiName = 'anthropic-messages' | 'openai-responses' | 'openai-chat' | 'gemini' | 'in-process';

/** A request to a model, independent of the API. */
export interface ModelRequest {
  readonly api: ApiName;
  readonly model: string;
  /** Whether the answer is streamed. */
  readonly stream: boolean;
  /** All system and developer messages, from any position. */
  readonly system: string;
  /** Oldest first, including system messages between the others. */
  readonly messages: readonly RequestMessage[];
  readonly tools: readonly OfferedTool[];
  /** The conversation of this request, if the client names it. */
  readonly conversationId?: string | undefined;
  /** Whether the answer must be JSON after a schema. */
  readonly wantsJson: boolean;
  /** Whether a streamed answer includes its usage, if the API leaves that to the client. */
  readonly wantsUsage?: boolean;
}

export interface RequestMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly text: string;
  readonly calls: readonly ToolCall[];
  readonly results: readonly ToolResult[];
}

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** As it was written: JSON for most tools. */
  readonly input: string;
}

export interface ToolResult {
  readonly callId: string;
  /** The name of the tool, where the call is still in the request. */
  readonly name: string | undefined;
  readonly text: string;
}

export interface OfferedTool {
  /** With its namespace in front, if it has one: `mcp__memo__remember`. */
  readonly name: string;
  readonly namespace?: string | undefined;
  /** A custom tool takes free text instead of JSON. */
  readonly kind: 'function' | 'custom' | 'other';
  readonly definition: unknown;
}

/** A message with nothing but text. */
export const textMessage = (role: RequestMessage['role'], text: string): RequestMessage => ({
  role,
  text,
  calls: [],
  results: [],
});
