/** Problems besides the answers. For the operator of the server; the agent does not see them. */
export type McpLogEvent =
  | { readonly event: 'TOOL_THREW'; readonly tool: string; readonly error: string }
  | { readonly event: 'TOOL_RESULT_INVALID'; readonly tool: string; readonly error: string }
  | { readonly event: 'AFTER_ANSWER_JOB_THREW'; readonly tool: string; readonly error: string }
  | { readonly event: 'MESSAGE_REFUSED'; readonly error: string }
  | { readonly event: 'CONNECTION_TROUBLE'; readonly error: string };

/** Contract: must not throw, and never writes to stdout, which belongs to the protocol. */
export interface McpLogger {
  log(event: McpLogEvent): void;
}

export const stderrLogger: McpLogger = {
  log: (event) => void process.stderr.write(`${JSON.stringify(event)}\n`),
};

/** The stack where there is one: a log is for finding the place. */
export const describeError = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);
