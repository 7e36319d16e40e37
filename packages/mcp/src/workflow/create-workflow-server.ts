import { join } from 'node:path';
import type { Store } from '@devs/core';
import { createToolServer, type ToolServer } from '../create-tool-server.js';
import type { McpLogger } from '../logger.js';
import { createNotices } from './notices.js';
import { createRunAccess } from './run-access.js';
import { createStateFile } from './state-file.js';
import { createTemplates, type TemplateFolder } from './template-folder.js';
import type { WorkflowContext } from './workflow-context.js';
import { WORKFLOW_INSTRUCTIONS, workflowTools } from './workflow-tools.js';

export interface WorkflowContextOptions {
  readonly store: Store;
  /** Absolute. */
  readonly worktree: string;
  /** Names the worktree in the store. */
  readonly worktreeStream: string;
  readonly workflowPath?: string;
  readonly templateFolders: readonly TemplateFolder[];
  readonly newId: () => string;
}

export interface WorkflowServerOptions extends WorkflowContextOptions {
  readonly version: string;
  readonly logger?: McpLogger;
}

export interface WorkflowServer {
  readonly server: ToolServer;
  /** Resolves when everything that was answered is in the files beside the store, too. */
  flush(): Promise<void>;
}

export function createWorkflowServer({ version, logger, ...options }: WorkflowServerOptions): WorkflowServer {
  const context = createWorkflowContext(options);
  const server = createToolServer({
    name: 'devs',
    version,
    instructions: WORKFLOW_INSTRUCTIONS,
    tools: workflowTools,
    context,
    ...(logger !== undefined && { logger }),
  });
  return { server, flush: () => context.stateFile.flush() };
}

export function createWorkflowContext(options: WorkflowContextOptions): WorkflowContext {
  const { store, worktree, worktreeStream, workflowPath, templateFolders, newId } = options;
  const notices = createNotices();
  return {
    runs: createRunAccess({ store, worktreeStream, worktree, newId }),
    tasks: store.tasks,
    templates: createTemplates({ folders: templateFolders, ...(workflowPath !== undefined && { workflowPath }) }),
    stateFile: createStateFile({ file: join(worktree, 'workflow-state.json'), newId, notices }),
    worktree,
    notices,
    statuses: new WeakMap(),
  };
}
