import { attachTerminal } from './attach-terminal.js';
import { findTerminal } from './names/known-names.js';
import { readRecordedLaunch } from './recorded-launch.js';
import { openAndRun } from './start-agent.js';
import type { TerminalWorld } from './terminal-world.js';

/**
 * Continues the conversation of a terminal whose agent is gone: after a crash, a reboot or its end. It is the same terminal: what
 * its conversation began from, and the way back to the one before, stay.
 */
export async function resumeTerminal(world: TerminalWorld, wanted: string): Promise<number> {
  const { name, hosted } = await findTerminal(world, wanted);
  if (hosted !== undefined && hosted.exit === undefined) return attachTerminal(world, name, { watch: false });
  const launch = await readRecordedLaunch(world, name);
  // The agent before is over now, however it ended: it does not come back beside the new one.
  await world.supervisor.ask((port) => port.terminals.stop(name));
  return openAndRun(world, { ...launch, name, resumes: true });
}
