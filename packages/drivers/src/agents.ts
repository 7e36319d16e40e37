import type { AgentEntry } from './agent-entry.js';
import { builtin } from './builtin/builtin.js';
import { claudeCode } from './claude-code/claude-code.js';
import { codex } from './codex/codex.js';
import { gemini } from './gemini/gemini.js';
import { opencode } from './opencode/opencode.js';

export type { AgentEntry, AgentHooks, HookCommand } from './agent-entry.js';

/** Every agent that devs knows; the best to start comes first. A new agent is a folder and a line here. */
export const AGENTS: readonly AgentEntry[] = [claudeCode, codex, opencode, gemini, builtin];

/** The names of agents that devs can start. */
export const STARTABLE_AGENTS: readonly string[] = AGENTS.filter(({ createDriver }) => createDriver !== undefined).map(
  ({ name }) => name,
);

/** The agents that are programs of the user, and commands of devs: `devs claude`. */
export const PROGRAM_AGENTS: readonly string[] = AGENTS.filter(({ program }) => program !== undefined).map(
  ({ name }) => name,
);

export const findAgent = (name: string): AgentEntry | undefined => AGENTS.find((agent) => agent.name === name);
