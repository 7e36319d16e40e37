import { CliError } from '../cli-error.js';
import type { StoreLocation } from '../store-access/store-location.js';
import { actOnTerminal } from './act-on-terminal.js';
import { attachTerminal } from './attach-terminal.js';
import { findTerminal } from './names/known-names.js';
import type { RegisteredTerminal } from './names/terminal-registry.js';
import { openTerminalStore } from './open-terminal-store.js';
import { type RecordedTerminal, readRecordedTerminal } from './recorded-terminal.js';
import { openAndRun } from './start-agent.js';
import type { TerminalWorld } from './terminal-world.js';

/** Goes on in the conversation of a terminal whose agent is gone: after a crash, a reboot or its end. */
export async function resumeTerminal(world: TerminalWorld, wanted: string): Promise<number> {
  const { name, hosted } = await findTerminal(world, wanted);
  if (hosted !== undefined && hosted.exit === undefined) {
    return attachTerminal(world, name, { watch: false });
  }
  const entry = world.registry.get(name);
  const driver = entry === undefined ? undefined : await world.driverOf(entry.agent);
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
  const plan = await driver.launch({
    folder,
    home: world.env.HOME ?? world.home,
    env: world.env,
    userArgs: recorded.userArgs,
    conversation: { kind: 'resume', id: conversationId },
    privateFolder: world.places.privateFolder(name),
  });
  const store: StoreLocation = entry.store.kind === 'redis' ? (world.storeSetting ?? { kind: 'project' }) : entry.store;
  return openAndRun(world, { driver, args: plan.args, name, folder, store });
}

async function readRecord(world: TerminalWorld, entry: RegisteredTerminal): Promise<RecordedTerminal | undefined> {
  const store = await openTerminalStore(world, entry);
  if (store === undefined) return undefined;
  try {
    const { terminalStream } = await world.loadSupervisor();
    return await readRecordedTerminal(store.log, terminalStream(entry.name));
  } finally {
    await store.close();
  }
}
