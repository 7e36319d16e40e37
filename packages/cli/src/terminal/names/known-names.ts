import type { HostedTerminal } from '@devs/terminals';
import { connectRunningHost } from '../connect-running-host.js';
import type { SupervisedWorld } from '../terminal-world.js';
import { findTerminalName } from './terminal-name.js';

export interface FoundTerminal {
  readonly name: string;
  /** Running or exited; missing where no host holds it. */
  readonly hosted?: HostedTerminal;
}

/** The terminal that is meant, among those that devs knows and those that run. Starts nothing. */
export async function findTerminal(world: SupervisedWorld, wanted: string): Promise<FoundTerminal> {
  const hosted = await listHosted(world);
  const names = [...world.registry.list().map(({ name }) => name), ...hosted.map(({ terminalId }) => terminalId)];
  const name = findTerminalName(wanted, [...new Set(names)]);
  const found = hosted.find(({ terminalId }) => terminalId === name);
  return { name, ...(found === undefined ? {} : { hosted: found }) };
}

/** What the host holds, if one runs. */
export async function listHosted(world: SupervisedWorld): Promise<readonly HostedTerminal[]> {
  const host = await connectRunningHost(world);
  try {
    return host === undefined ? [] : await host.list();
  } finally {
    host?.close();
  }
}
