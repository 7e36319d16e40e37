import { CliError } from '../cli-error.js';
import type { StoreLocation } from '../store-access/store-location.js';
import { actOnTerminal } from './act-on-terminal.js';
import { attachTerminal } from './attach-terminal.js';
import { driverOfTerminal } from './driver-of-terminal.js';
import { findTerminal } from './names/known-names.js';
import type { RegisteredTerminal } from './names/terminal-registry.js';
import { openTerminalStore } from './open-terminal-store.js';
import { type RecordedTerminal, readRecordedTerminal } from './recorded-terminal.js';
import { openAndRun } from './start-agent.js';
import type { TerminalWorld } from './terminal-world.js';

/**
 * Goes on in the conversation of a terminal whose agent is gone: after a crash, a reboot or its end. It is the same terminal: what
 * its conversation began from, and the way back to the one before, stay.
 */
export async function resumeTerminal(world: TerminalWorld, wanted: string): Promise<number> {
  const { name, hosted } = await findTerminal(world, wanted);
  if (hosted !== undefined && hosted.exit === undefined) {
    return attachTerminal(world, name, { watch: false });
  }
  const entry = world.registry.get(name);
  const driver = entry === undefined ? undefined : await driverOfTerminal(world, entry);
  if (entry === undefined || driver === undefined) throw new CliError(`devs has no records of "${name}".`);
  const recorded = await readRecord(world, entry);
  const { conversationId } = recorded ?? {};
  if (recorded === undefined || conversationId === undefined) {
    throw new CliError(`"${name}" ended before it had a conversation. Start it again with \`devs ${entry.agent}\`.`);
  }
  if (recorded.isHidden) {
    throw new CliError(
      `"${name}" was started with an argument that looks like a secret, which is not stored. Start it again by hand, with conversation ${conversationId}.`,
    );
  }
  // The one before is over now, however it ended: nobody brings it back beside the new one.
  await actOnTerminal(world, name, { do: 'stop' });
  const { folder } = entry;
  const store: StoreLocation = entry.store.kind === 'redis' ? (world.storeSetting ?? { kind: 'project' }) : entry.store;
  return openAndRun(world, { driver, args: recorded.userArgs, name, folder, store, resumes: true });
}

async function readRecord(world: TerminalWorld, entry: RegisteredTerminal): Promise<RecordedTerminal | undefined> {
  const store = await openTerminalStore(world, entry);
  if (store === undefined) return undefined;
  try {
    return await readRecordedTerminal(world, store.log, entry.name);
  } finally {
    await store.close();
  }
}
