import type { RunAcpAgent } from './run-acp-agent.js';
import type { RunBuiltinAgent } from './run-builtin-agent.js';
import type { RunStreamAgent } from './run-stream-agent.js';

/** The agents that run in this process. */
export interface AgentServices {
  readonly runBuiltinAgent: RunBuiltinAgent;
  readonly runAcpAgent: RunAcpAgent;
  /** Holds Codex's app server in this terminal. Resolves with the exit code. */
  readonly holdCodex: (folder: string) => Promise<number>;
  readonly runStreamAgent: RunStreamAgent;
}
