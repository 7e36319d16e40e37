/** How a client speaks; `in-process` is the client without a wire. Gemini's would be one more, with a folder in `apis/`. */
export type ApiName = 'anthropic-messages' | 'openai-responses' | 'openai-chat' | 'in-process';

/** What a client asks a model, whatever API it speaks. */
export interface ModelRequest {
  readonly api: ApiName;
  readonly model: string;
  /** Whether the answer is to come piece by piece. */
  readonly stream: boolean;
  /** All that is said in the system's or developer's name, wherever it stands. */
  readonly system: string;
  /** Oldest first; with the system's that stand between the others. */
  readonly messages: readonly RequestMessage[];
  readonly tools: readonly OfferedTool[];
  /** Which conversation this belongs to, where the client tells. */
  readonly conversationId?: string | undefined;
  /** Whether the answer must be JSON after a schema. */
  readonly wantsJson: boolean;
  /** Whether a streamed answer is to say what it cost, where the API leaves that to the client. */
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
  /** With its namespace in front, where it has one of its own: `mcp__memo__remember`. */
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
