import type { z } from 'zod';

/** Answer of a tool: an object of plain JSON values. */
export type JsonObject = { readonly [key: string]: unknown };

/** An object, or a union of objects: MCP clients want `type: object` at the root of an output schema. */
export type ObjectSchema = z.ZodType<JsonObject>;

/** Hints for the client; it may show them to a person before it calls the tool. */
export interface ToolAnnotations {
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** What `run` gets besides its input. */
export interface ToolCall<Context> {
  /** The context of the server; the same object in every call. */
  readonly context: Context;
  /** Aborted when the client cancels the call or disconnects. */
  readonly signal: AbortSignal;
  /**
   * Runs `job` after the answer of this call was handed to the operating system; the next call waits for it.
   *
   * Contract: jobs run one after another, in the order in which they were given. A job is not done when the answer was not
   * delivered: the call threw, was cancelled, or the client or this process went away before. A job that throws is logged,
   * and the jobs after it are still done. Throws when the call is over.
   */
  afterAnswer(job: () => Promise<void>): void;
}

/** One entry of a server's table. Rules for several tools are functions from a tool to a tool. */
export interface Tool<Context> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly annotations: ToolAnnotations;
  readonly input: z.ZodObject;
  /** The server sends the answer as parsed by this schema, so that clients see only what the schema promises. */
  readonly output: ObjectSchema;
  /**
   * Contract: rejects with `InvalidArgumentsError` when the arguments do not fit `input`. The message of any error is shown to
   * the agent; an error with a string as `code` counts as expected, others are logged as well.
   */
  call(rawArguments: unknown, call: ToolCall<Context>): Promise<JsonObject>;
}
