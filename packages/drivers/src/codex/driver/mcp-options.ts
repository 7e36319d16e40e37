import type { McpServer } from '@devs/core';
import { tomlList, tomlString } from './toml.js';

export interface McpOptions {
  readonly options: readonly string[];
  /** Secrets go to the server by way of the environment, never through a command line. */
  readonly env: Readonly<Record<string, string>>;
  readonly notes: readonly string[];
}

/** MCP servers beside those of the user: a dotted key changes nothing but itself. */
export function mcpOptions(servers: Readonly<Record<string, McpServer>>): McpOptions {
  const known = Object.entries(servers).filter(([name]) => /^[\w-]+$/.test(name));
  const unnamed = Object.keys(servers).filter((name) => !/^[\w-]+$/.test(name));
  const options = known.flatMap(([name, { command, args, env = {} }]) => [
    ...set(name, 'command', tomlString(command)),
    ...set(name, 'args', tomlList(args)),
    // Otherwise the first call of our own tools would wait for an approval with no user there.
    ...set(name, 'default_tools_approval_mode', tomlString('approve')),
    ...(Object.keys(env).length === 0 ? [] : set(name, 'env_vars', tomlList(Object.keys(env)))),
  ]);
  return {
    options,
    env: Object.assign({}, ...known.map(([, { env = {} }]) => env)),
    notes: unnamed.map((name) => `the MCP server "${name}" was left out: Codex takes letters, digits, - and _ only`),
  };
}

const set = (server: string, key: string, value: string) => ['-c', `mcp_servers.${server}.${key}=${value}`];
