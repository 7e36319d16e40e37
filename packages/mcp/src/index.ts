export { InvalidArgumentsError } from './arguments/invalid-arguments-error.js';
export {
  createToolServer,
  type ToolConnection,
  type ToolServer,
  type ToolServerOptions,
} from './create-tool-server.js';
export { defineTool, type ToolDefinition } from './define-tool.js';
export type { McpLogEvent, McpLogger } from './logger.js';
export { type ServeStdioOptions, serveStdio } from './serve-stdio.js';
export type { JsonObject, ObjectSchema, Tool, ToolAnnotations, ToolCall } from './tool.js';
export {
  createWorkflowServer,
  type WorkflowServer,
  type WorkflowServerOptions,
} from './workflow/create-workflow-server.js';
export {
  findTemplates,
  listTemplates,
  type TemplateFolder,
  type TemplateListing,
  templateFoldersOf,
} from './workflow/template-folder.js';
export { worktreeStream } from './workflow/worktree-stream.js';
