import type { AgentDriver } from '@devs/core';
import type { RegisteredTerminal } from './names/terminal-registry.js';
import type { TerminalWorld } from './terminal-world.js';

/** How its agent is driven; it may be one of the user's own, by the configuration of its folder. */
export async function driverOfTerminal(
  { driverOf, choicesIn }: Pick<TerminalWorld, 'driverOf' | 'choicesIn'>,
  { agent, folder }: Pick<RegisteredTerminal, 'agent' | 'folder'>,
): Promise<AgentDriver | undefined> {
  return (await driverOf(agent)) ?? driverOf(agent, (await choicesIn(folder)).settings.agents);
}
