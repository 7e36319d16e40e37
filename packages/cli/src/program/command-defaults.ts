import type { Command } from 'commander';
import type { Console } from '../screen/console.js';
import { suggestCommand } from './suggest-command.js';

/** What all commands have in common: they throw where commander would end the process, and say what to do. */
export function applyDefaults(
  command: Command,
  { print, warn, screen }: Pick<Console, 'print' | 'warn' | 'screen'>,
): void {
  command
    .exitOverride()
    .helpOption('-h, --help', 'show this help')
    .showHelpAfterError(`Run \`${pathOf(command)} --help\` to see what there is.`)
    .configureHelp({ visibleCommands: leaves, subcommandTerm: (leaf) => termWithin(leaf, command) })
    .configureOutput({
      writeOut: (text) => print(text.trimEnd()),
      writeErr: (text) => warn(text.trimEnd()),
      outputError: (text, write) => write(text.replace(/^error: /, 'devs: ')),
      getOutHelpWidth: () => screen.columns,
      getErrHelpWidth: () => screen.columns,
    });
}

/** Commander would suggest `detect` for `devs detect`; the listener lets us name the whole path. */
export function refuseUnknownCommands(group: Command): void {
  group.on('command:*', ([unknown = '']: readonly string[]) => {
    const paths = descendants(group).map((command) => pathOf(command).slice(pathOf(group).length + 1));
    const meant = suggestCommand(unknown, paths);
    const suggestion = meant === undefined ? '' : `\n(Did you mean \`${pathOf(group)} ${meant}\`?)`;
    group.error(`error: unknown command '${unknown}'${suggestion}`, { exitCode: 2 });
  });
}

export const descendants = (command: Command): Command[] =>
  command.commands.flatMap((child) => [child, ...descendants(child)]);

/** What can be run: groups are not listed, their commands are. */
const leaves = (command: Command): Command[] => descendants(command).filter(({ commands }) => commands.length === 0);

const pathOf = (command: Command): string =>
  command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;

/** `debug detect [file]` in the help of `devs`, `detect [file]` in the help of `devs debug`. */
function termWithin(leaf: Command, group: Command): string {
  const path = pathOf(leaf).slice(pathOf(group).length + 1);
  const operands = leaf.registeredArguments.map((argument) => {
    const name = `${argument.name()}${argument.variadic ? '…' : ''}`;
    return argument.required ? `<${name}>` : `[${name}]`;
  });
  return [path, ...operands].join(' ');
}
