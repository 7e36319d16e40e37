import { messageOf } from '@devs/core';
import { type CallToolResult, Server, type Transport } from '@modelcontextprotocol/server';
import { boundText } from './bound-text.js';
import type { FileTool, ToolOutcome, ToolPlace } from './file-tool.js';
import { listFilesTool, searchFilesTool } from './find-tools.js';
import { editFileTool, readFileTool, writeFileTool } from './read-write-tools.js';
import { runCommandTool } from './run-command-tool.js';

/** The agent's built-in tools, confined to its worktree. */
const FILE_TOOLS: readonly FileTool[] = [
  readFileTool,
  writeFileTool,
  editFileTool,
  listFilesTool,
  searchFilesTool,
  runCommandTool,
];

/** What MCP has no field for, in the answer's `_meta`. */
export const STATUS_FIELD = 'devs/status';
export const EXIT_CODE_FIELD = 'devs/exit-code';

/** The agent's own tools as an MCP server: the agent knows only one kind of tool. */
export async function serveFileTools(transport: Transport, place: Omit<ToolPlace, 'signal'>): Promise<void> {
  const server = new Server({ name: 'devs-files', version: '1' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', () => ({
    tools: FILE_TOOLS.map(({ name, description, inputSchema, isReadOnly }) => ({
      name,
      description,
      inputSchema: inputSchema as { type: 'object' },
      annotations: { readOnlyHint: isReadOnly },
    })),
  }));
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq: { signal } }) => {
    const tool = FILE_TOOLS.find(({ name }) => name === params.name);
    if (tool === undefined)
      return resultOf({ status: 'error', output: '', errorDetail: `no tool ${params.name}` }, place);
    const outcome = await tool
      .call(params.arguments, { ...place, signal })
      .catch((error: unknown): ToolOutcome => ({ status: 'error', output: '', errorDetail: messageOf(error) }));
    return resultOf(outcome, place);
  });
  await server.connect(transport);
}

function resultOf(
  { status = 'ok', output, errorDetail, exitCode }: ToolOutcome,
  { mostOutputChars }: Pick<ToolPlace, 'mostOutputChars'>,
): CallToolResult {
  const texts = [...(errorDetail === undefined ? [] : [errorDetail]), boundText(output, mostOutputChars)];
  return {
    content: texts.map((text) => ({ type: 'text', text })),
    isError: status !== 'ok',
    _meta: { [STATUS_FIELD]: status, ...(exitCode === undefined ? {} : { [EXIT_CODE_FIELD]: exitCode }) },
  };
}
