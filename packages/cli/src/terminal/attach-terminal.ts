import { CliError, UsageError } from '../cli-error.js';
import { describeSpan } from '../time/describe-time.js';
import { describeExit } from './describe-exit.js';
import { driverOfTerminal } from './driver-of-terminal.js';
import { findTerminal } from './names/known-names.js';
import { openTerminalStore } from './open-terminal-store.js';
import { runSession } from './session/run-session.js';
import { supervisionRequest } from './session/supervision-request.js';
import { tellEnd } from './session/tell-end.js';
import type { TerminalWorld } from './terminal-world.js';

/** Puts the user in front of a terminal that runs. Gives the exit code of its agent, 0 where he detached. */
export async function attachTerminal(
  world: TerminalWorld,
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
  const entry = world.registry.get(name);
  const driver = entry === undefined ? undefined : await driverOfTerminal(world, entry);
  const store = watch || entry === undefined ? undefined : await openTerminalStore(world, entry);
  try {
    const isSupervised = entry !== undefined && driver !== undefined && store !== undefined;
    const { end, exitCode } = await runSession({
      world,
      name,
      folder: found.cwd,
      manner: watch ? 'watch' : 'use',
      from: 'screen',
      ...(isSupervised ? { supervision: await supervisionRequest(world, entry, { driver, store }) } : {}),
    });
    tellEnd(world, name, watch && end.kind === 'detached' ? { kind: 'ended', by: 'SIGINT' } : end);
    return watch && end.kind !== 'host-lost' ? 0 : exitCode;
  } finally {
    await store?.close();
  }
}
