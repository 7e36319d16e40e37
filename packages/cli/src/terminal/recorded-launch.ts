import type { AgentDriver } from '@devs/core';
import { CliError } from '../cli-error.js';
import type { StoreLocation } from '../store-access/store-location.js';
import { storeOf } from './ask-supervisor.js';
import type { RegisteredTerminal } from './names/terminal-registry.js';
import {
  driverOfTerminal,
  openTerminalStore,
  type RecordedTerminal,
  readRecordedTerminal,
} from './recorded-terminal.js';
import type { SupervisedWorld } from './terminal-world.js';

/** How a terminal was started, and can be again. */
export interface RecordedLaunch {
  readonly driver: AgentDriver;
  readonly args: readonly string[];
  readonly folder: string;
  readonly store: StoreLocation;
}

/** Rejects where its conversation cannot be opened again, with words for people. */
export async function readRecordedLaunch(world: SupervisedWorld, name: string): Promise<RecordedLaunch> {
  const entry = world.registry.get(name);
  const driver = entry === undefined ? undefined : await driverOfTerminal(world, entry);
  if (entry === undefined || driver === undefined) throw new CliError(`devs has no records of "${name}".`);
  const recorded = await readRecord(world, entry);
  const { conversationId } = recorded ?? {};
  if (recorded === undefined || conversationId === undefined)
    throw new CliError(`"${name}" ended before it had a conversation. Start it again with \`devs ${entry.agent}\`.`);
  if (recorded.isHidden) {
    throw new CliError(
      `"${name}" was started with an argument that looks like a secret, which is not stored. Start it again by hand, with conversation ${conversationId}.`,
    );
  }
  return { driver, args: recorded.userArgs, folder: entry.folder, store: storeOf(world, entry) };
}

async function readRecord(world: SupervisedWorld, entry: RegisteredTerminal): Promise<RecordedTerminal | undefined> {
  const store = await openTerminalStore(world, entry);
  if (store === undefined) return undefined;
  try {
    return await readRecordedTerminal(world, store.log, entry.name);
  } finally {
    await store.close();
  }
}
