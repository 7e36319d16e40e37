/**
 * State of the workflow tools of one agent process: the supervisor awaits them, and the MCP server reports. In a file
 * beside the agent's private ones, since a server without access to the store must be able to report, too.
 */
export type ToolsReport =
  | { readonly status: 'awaited' }
  /** The agent has asked for the list of the tools. */
  | { readonly status: 'connected' }
  | { readonly status: 'failed'; readonly error: string };

const MAX_ERROR_CHARS = 500;

export function writeToolsReport(report: ToolsReport): string {
  const error = report.status === 'failed' ? { error: report.error.slice(0, MAX_ERROR_CHARS) } : {};
  return `${JSON.stringify({ ...report, ...error })}\n`;
}

/** `undefined` for an unknown report, e.g. of another version. */
export function parseToolsReport(text: string): ToolsReport | undefined {
  const { status, error } = fieldsOf(text);
  if (status === 'awaited' || status === 'connected') return { status };
  return status === 'failed' && typeof error === 'string' ? { status, error } : undefined;
}

function fieldsOf(text: string): { readonly status?: unknown; readonly error?: unknown } {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? parsed : {};
  } catch {
    return {};
  }
}
