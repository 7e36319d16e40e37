import { CliError, UsageError } from '../cli-error.js';
import { visible } from '../screen/visible.js';
import { describeSpan } from '../time/describe-time.js';
import { takeUp } from './ask-supervisor.js';
import { describeExit } from './describe-exit.js';
import { findTerminal } from './names/known-names.js';
import { readRecordedLaunch } from './recorded-launch.js';
import { tellEnd } from './session/describe-window.js';
import { runSession } from './session/run-session.js';
import { openAndRun } from './start-agent.js';
import type { TerminalDeps } from './terminal-world.js';

/** Puts the user in front of a terminal that runs. Gives the exit code of its agent, 0 where they detached. */
export async function attachTerminal(
  world: TerminalDeps,
  wanted: string,
  { watch }: { readonly watch: boolean },
): Promise<number> {
  if (!world.local.isInteractive) throw new UsageError('attaching needs a terminal: stdin and stdout must be one.');
  const { name, hosted: found } = await findTerminal(world, wanted);
  if (found === undefined)
    throw new CliError(`"${name}" does not run. Continue its conversation with \`devs resume ${name}\`.`);
  if (found.exit !== undefined) {
    const ago = describeSpan(world.clock.now() - found.exit.at);
    throw new CliError(
      `"${name}" ${describeExit(found.exit)} ${ago} ago. Continue its conversation with \`devs resume ${name}\`.`,
    );
  }
  const window = watch ? undefined : await attendedBy(world, name);
  const { end, exitCode } = await runSession({
    world,
    name,
    folder: found.cwd,
    manner: watch ? 'watch' : 'use',
    from: 'screen',
    ...(window === undefined ? {} : { window }),
  });
  tellEnd(world, name, watch && end.kind === 'detached' ? { kind: 'ended', by: 'SIGINT' } : end);
  return watch && end.kind !== 'host-lost' ? 0 : exitCode;
}

/** Name of this window, where the supervisor holds the terminal; a terminal that devs did not start is only shown. */
async function attendedBy(world: TerminalDeps, name: string): Promise<string | undefined> {
  const window = world.newId();
  const taken = await takeUp(world, name, window);
  if (taken.status === 'refused') world.warn(`devs: "${name}" is not supervised: ${visible(taken.reason)}.`);
  return taken.status === 'started' ? window : undefined;
}

/**
 * Continues the conversation of a terminal whose agent is gone: after a crash, a reboot or its end. It is the same terminal: what
 * its conversation began from, and the way back to the one before, stay.
 */
export async function resumeTerminal(world: TerminalDeps, wanted: string): Promise<number> {
  const { name, hosted } = await findTerminal(world, wanted);
  if (hosted !== undefined && hosted.exit === undefined) return attachTerminal(world, name, { watch: false });
  const launch = await readRecordedLaunch(world, name);
  // The agent before is over now, however it ended: it does not come back beside the new one.
  await world.supervisor.ask((port) => port.terminals.stop(name));
  return openAndRun(world, { ...launch, name, resumes: true });
}
