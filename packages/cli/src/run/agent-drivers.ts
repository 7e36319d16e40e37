import type { AgentDriver, Clock, Settings } from '@devs/core';
import { findAgent } from '@devs/drivers/agents';

export interface DriversDeps {
  readonly loadAgents: () => Promise<typeof import('@devs/drivers')>;
  readonly clock: Clock;
  readonly version: string;
  /** What starts the agent that comes with devs. */
  readonly builtinCommand: readonly string[];
  /** What starts the program that holds an agent which speaks ACP. */
  readonly acpCommand: readonly string[];
  /** What starts a command of devs. */
  readonly devsCommand?: (name: string) => readonly string[];
  /** What starts the program that holds a Claude Code by stream-json. */
  readonly streamCommand: readonly string[];
}

/** The driver of an agent by name; `undefined` for an unknown agent. */
export type DriverOf = (agent: string, own?: Settings['agents']) => Promise<AgentDriver | undefined>;

export const createDriverOf =
  ({ loadAgents, clock, version, builtinCommand, acpCommand, devsCommand, streamCommand }: DriversDeps): DriverOf =>
  async (agent, own = {}) => {
    const config = own[agent];
    if (config !== undefined && 'acp' in config)
      return (await loadAgents()).createAcpDriver(config, { clock, command: acpCommand });
    if (config !== undefined) return (await loadAgents()).createGenericDriver(config, { clock });
    return findAgent(agent)?.createDriver?.({
      clock,
      builtin: { command: builtinCommand, version },
      devsCommand,
      holder: streamCommand,
    });
  };
