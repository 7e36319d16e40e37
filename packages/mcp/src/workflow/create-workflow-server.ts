import { join } from 'node:path';
import { buildMinimalState, contextData, type Store, type SupervisorState } from '@devs/core';
import { createToolServer, type ToolServer } from '../create-tool-server.js';
import type { McpLogger } from '../logger.js';
import { createNotices } from './notices.js';
import { createRunAccess } from './run-access.js';
import { createStateFile } from './state-file.js';
import type { StatusAnswer } from './status-answer.js';
import { createTemplates, type TemplateFolder } from './template-folder.js';
import { recallTool, type SearchConversations } from './tools/recall.js';
import type { WorkflowContext } from './workflow-context.js';
import { WORKFLOW_INSTRUCTIONS, workflowTools } from './workflow-tools.js';

export interface WorkflowContextOptions {
  readonly store: Store;
  /** Absolute. */
  readonly worktree: string;
  /** Names the worktree in the store. */
  readonly worktreeStream: string;
  /** The clone that it belongs to, where several machines share the store. */
  readonly clone?: string;
  readonly workflowPath?: string;
  readonly templateFolders: readonly TemplateFolder[];
  readonly newId: () => string;
}

export interface WorkflowServerOptions extends WorkflowContextOptions {
  readonly version: string;
  /** Without it the server has no tool `recall`. */
  readonly recall?: SearchConversations;
  /** A client has asked for the list of the tools. Must not throw. */
  onListed?(): void;
  readonly logger?: McpLogger;
}

export interface WorkflowServer {
  readonly server: ToolServer;
  /** Resolves when everything that was answered is in the files beside the store, too. */
  flush(): Promise<void>;
}

export function createWorkflowServer(all: WorkflowServerOptions): WorkflowServer {
  const { version, recall, logger, onListed, ...options } = all;
  const context = createWorkflowContext(options);
  const server = createToolServer({
    name: 'devs',
    version,
    instructions: WORKFLOW_INSTRUCTIONS,
    tools: recall === undefined ? workflowTools : [...workflowTools, recallTool(recall)],
    context,
    ...(onListed !== undefined && { onListed }),
    ...(logger !== undefined && { logger }),
  });
  return { server, flush: () => context.stateFile.flush() };
}

export function createWorkflowContext(options: WorkflowContextOptions): WorkflowContext {
  const { store, worktree, worktreeStream, clone, workflowPath, templateFolders, newId } = options;
  const notices = createNotices();
  return {
    runs: createRunAccess({ store, worktreeStream, worktree, newId, ...(clone !== undefined && { clone }) }),
    tasks: store.tasks,
    recorded: async () => recordedIn(await store.state()),
    templates: createTemplates({ folders: templateFolders, ...(workflowPath !== undefined && { workflowPath }) }),
    stateFile: createStateFile({ file: join(worktree, 'workflow-state.json'), newId, notices }),
    worktree,
    notices,
    statuses: new WeakMap(),
  };
}

function recordedIn(state: SupervisorState): StatusAnswer['context'] {
  const data = contextData(buildMinimalState(state));
  return data && { ...data, recent_history: [...data.recent_history], active_blockers: [...data.active_blockers] };
}
