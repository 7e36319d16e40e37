import type { FileTool } from './file-tool.js';
import { listFilesTool, searchFilesTool } from './find-tools.js';
import { editFileTool, readFileTool, writeFileTool } from './read-write-tools.js';
import { runCommandTool } from './run-command-tool.js';

/** The agent's built-in tools, confined to its worktree. */
export const FILE_TOOLS: readonly FileTool[] = [
  readFileTool,
  writeFileTool,
  editFileTool,
  listFilesTool,
  searchFilesTool,
  runCommandTool,
];
