import type { Environment } from '@devs/core';

/**
 * What agents put into the environment of the programs they run. An agent that finds them takes itself for a part of the
 * other one: Claude Code keeps no transcript then, and Codex believes that it has no network.
 */
const LEFT_BY_AGENTS = new Set([
  'CLAUDECODE',
  'CLAUDE_CODE_CHILD_SESSION',
  'CLAUDE_CODE_ENTRYPOINT',
  'CLAUDE_CODE_EXECPATH',
  'CLAUDE_CODE_SESSION_ACCESS_TOKEN',
  'CLAUDE_CODE_SESSION_ATTENDED',
  'CLAUDE_CODE_SESSION_BEGAN_AS_COPY',
  'CLAUDE_CODE_SESSION_CREATED_AT_MS',
  'CLAUDE_CODE_SESSION_ID',
  'CLAUDE_CODE_SESSION_KIND',
  'CLAUDE_CODE_SESSION_LOG',
  'CLAUDE_CODE_SESSION_NAME',
  'CLAUDE_CODE_SESSION_ORIGIN',
  'CLAUDE_ENV_FILE',
  'CLAUDE_PID',
  'CLAUDE_PLUGIN_DATA',
  'CLAUDE_PLUGIN_ROOT',
  'CLAUDE_PROJECT_DIR',
  'CODEX_SANDBOX',
  'CODEX_SANDBOX_NETWORK_DISABLED',
  'CODEX_SESSION_ID',
  'CODEX_THREAD_ID',
  'CODEX_TOOL_CALL_ID',
]);

/** The user's environment, as in their own terminal. */
export function cleanEnvironment(env: Environment): Readonly<Record<string, string>> {
  const kept = Object.entries(env).filter(([name, value]) => value !== undefined && !LEFT_BY_AGENTS.has(name));
  return Object.fromEntries(kept) as Record<string, string>;
}
