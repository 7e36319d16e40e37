import { Command } from 'commander';
import type { Composed } from '../compose.js';
import { continueLeft } from '../supervise/continue-left.js';
import { requireOutside } from '../terminal/require-outside.js';
import { applyDefaults, descendants, refuseUnknownCommands } from './command-defaults.js';
import { commandsFor } from './command-table.js';
import { renderHelpGroups } from './help-groups.js';
import { storeOption } from './options.js';

type Done = (exitCode: number) => void;

const MORE_HELP = `
Without a command: what needs you and what runs, in all projects.

Examples:
  devs init
  devs run "Add a cart to the shop"
  devs claude --name parser "Fix the failing test"

Exit codes: 0 done, 1 failed, 2 wrong usage.`;

/**
 * The commands that exist, as far as a command line needs them. Commander throws where it would end the process: `run` turns
 * that into an exit code.
 */
export async function createProgram(services: Composed, done: Done, argv: readonly string[]): Promise<Command> {
  const program: Command = new Command('devs')
    .description('Supervises AI coding agents, so that they stay coherent over hours and days.')
    .version(services.version, '-V, --version', 'print the version')
    .addOption(storeOption())
    .addHelpText('after', () => `${renderHelpGroups(program)}\n${MORE_HELP}`)
    .hook('preAction', async (_, command) => {
      await requireOutside(command, services.terminals);
      await continueLeft(command, services);
    });
  for (const create of await Promise.all(commandsFor(argv).map((load) => load())))
    program.addCommand(create(services, done));
  const commands = [program, ...descendants(program)];
  for (const command of commands) applyDefaults(command, services);
  program.configureHelp({ ...program.configureHelp(), visibleCommands: () => [] }); // its groups are shown instead
  for (const group of commands) if (group.commands.length > 0) refuseUnknownCommands(group);
  return program;
}

/** `devs` by itself. */
export async function createOverview(services: Composed, done: Done, help: () => void): Promise<Command> {
  const { overviewCommand } = await import('../overview/overview.js');
  const overview = overviewCommand(services, done, help).hook('preAction', (_, command) =>
    continueLeft(command, services),
  );
  applyDefaults(overview, services);
  return overview;
}
