import { messageOf } from '@devs/core';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { describeError, type McpLogger } from '../logger.js';
import type { JsonObject, ObjectSchema, Tool, ToolCall } from '../tool.js';

interface Asked<Context> {
  readonly tool: Tool<Context>;
  readonly rawArguments: unknown;
  readonly call: ToolCall<Context>;
  readonly logger: McpLogger;
  readonly checked: CheckedAnswers;
}

/** The same object is the same answer, and was checked before: a tool that is asked again and again may keep its answer. */
export type CheckedAnswers = WeakMap<JsonObject, { readonly output: ObjectSchema; readonly result: CallToolResult }>;

/** Answers one call. Never rejects: every failure becomes an answer that the agent can read. */
export async function answerCall<Context>({
  tool,
  rawArguments,
  call,
  logger,
  checked,
}: Asked<Context>): Promise<CallToolResult> {
  let answer: JsonObject;
  try {
    answer = await tool.call(rawArguments, call);
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) logger.log({ event: 'TOOL_THREW', tool: tool.name, error: describeError(error) });
    return errorResult(messageOf(error), code ?? 'TOOL_ERROR');
  }
  const before = checked.get(answer);
  if (before?.output === tool.output) return before.result;
  try {
    const structuredContent = tool.output.parse(answer);
    const result = { content: [textOf(structuredContent)], structuredContent };
    checked.set(answer, { output: tool.output, result });
    return result;
  } catch (error) {
    logger.log({ event: 'TOOL_RESULT_INVALID', tool: tool.name, error: describeError(error) });
    return errorResult(`${tool.name} made a result that it must not make; this is a bug in the server`, 'INTERNAL');
  }
}

/** Without `structuredContent`: a 1.x client would hold it against the schema of the tool's answers. */
const errorResult = (error: string, code: string): CallToolResult => ({
  isError: true,
  content: [textOf({ error, code })],
});

const textOf = (value: JsonObject) => ({ type: 'text' as const, text: JSON.stringify(value, null, 2) });

function codeOf(error: unknown): string | undefined {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}
