export { PERMISSION_MODES, type PermissionMode, type PermissionPolicy } from './permissions/decide-permission.js';
export { type AgentRun, runAgent } from './program/run-agent.js';
export { AgentError } from './session/agent-error.js';
export type { AgentModel, AgentSetup } from './session/agent-setup.js';
export { readMcpConfig } from './tools/read-mcp-config.js';
