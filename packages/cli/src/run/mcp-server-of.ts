import type { McpServer } from '@devs/core';
import type { StoreLocation } from '../store-access/store-location.js';

interface McpRequest {
  readonly devsCommand: readonly string[];
  readonly worktree: string;
  readonly repoRoot: string;
  readonly location: StoreLocation;
  /** Where it says whether it serves. */
  readonly toolsReport?: string | undefined;
  /** Of the user. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * The MCP server of a run. Codex starts servers without most of the environment, so the location of the user's
 * agreements is passed: without it the store would look foreign. A Redis URL may hold a password, and other users can
 * read a command line.
 */
export function mcpServerOf({ devsCommand, worktree, repoRoot, location, env, toolsReport }: McpRequest): McpServer {
  const [command = 'devs', ...args] = devsCommand;
  const store = location.kind === 'sqlite' ? ['--store', `sqlite:${location.file}`] : [];
  const report = toolsReport === undefined ? [] : ['--report-to', toolsReport];
  const { XDG_STATE_HOME, DEVS_MACHINE } = env;
  const needed = {
    ...(XDG_STATE_HOME === undefined ? {} : { XDG_STATE_HOME }),
    ...(location.kind === 'redis' ? { DEVS_STORE: location.url } : {}),
    ...(location.kind === 'redis' && DEVS_MACHINE !== undefined ? { DEVS_MACHINE } : {}),
  };
  return {
    command,
    args: [...args, 'mcp', '--worktree', worktree, '--repo-root', repoRoot, ...store, ...report],
    ...(Object.keys(needed).length === 0 ? {} : { env: needed }),
  };
}
