import { Command } from 'commander';
import { debugDetectCommand } from './commands/debug-detect.js';
import { debugProtocolCommand } from './commands/debug-protocol.js';
import type { Services } from './compose.js';
import { suggestCommand } from './suggest-command.js';

/** The commands that exist. Commander throws where it would end the process: `run` turns that into an exit code. */
export function createProgram(services: Services, done: (exitCode: number) => void): Command {
  const program = new Command('devs')
    .description('Supervises AI coding agents, so that they stay coherent over hours and days.')
    .version(services.version, '-V, --version', 'print the version')
    .addHelpText('after', '\nExample:\n  devs debug protocol\n\nExit codes: 0 done, 1 failed, 2 wrong usage.');
  const debug = new Command('debug')
    .description('Look at one part of devs at work.')
    .addHelpText('after', '\nExample:\n  devs debug detect answer.txt');
  program.addCommand(debug);
  debug.addCommand(debugProtocolCommand(services, done));
  debug.addCommand(debugDetectCommand(services, done));
  for (const command of [program, ...descendants(program)]) applyManners(command, services);
  for (const group of [program, debug]) refuseUnknownCommands(group);
  return program;
}

function applyManners(command: Command, { print, complain, screen }: Services): void {
  command
    .exitOverride()
    .helpOption('-h, --help', 'show this help')
    .showHelpAfterError(`Run \`${pathOf(command)} --help\` to see what there is.`)
    .configureHelp({ visibleCommands: leaves, subcommandTerm: (leaf) => termWithin(leaf, command) })
    .configureOutput({
      writeOut: (text) => print(text.trimEnd()),
      writeErr: (text) => complain(text.trimEnd()),
      outputError: (text, write) => write(text.replace(/^error: /, 'devs: ')),
      getOutHelpWidth: () => screen.columns,
      getErrHelpWidth: () => screen.columns,
    });
}

/** Commander would suggest `detect` for `devs detect`; the listener lets us name the whole path. */
function refuseUnknownCommands(group: Command): void {
  group.on('command:*', ([unknown = '']: readonly string[]) => {
    const paths = descendants(group).map((command) => pathOf(command).slice(pathOf(group).length + 1));
    const meant = suggestCommand(unknown, paths);
    const suggestion = meant === undefined ? '' : `\n(Did you mean \`${pathOf(group)} ${meant}\`?)`;
    group.error(`error: unknown command '${unknown}'${suggestion}`, { exitCode: 2 });
  });
}

const descendants = (command: Command): Command[] =>
  command.commands.flatMap((child) => [child, ...descendants(child)]);

/** What can be run: groups are not listed, their commands are. */
const leaves = (command: Command): Command[] => descendants(command).filter(({ commands }) => commands.length === 0);

const pathOf = (command: Command): string =>
  command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;

/** `debug detect [file]` in the help of `devs`, `detect [file]` in the help of `devs debug`. */
function termWithin(leaf: Command, group: Command): string {
  const path = pathOf(leaf).slice(pathOf(group).length + 1);
  const operands = leaf.registeredArguments.map((argument) => `[${argument.name()}]`);
  return [path, ...operands].join(' ');
}
