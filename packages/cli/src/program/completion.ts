import { Argument, Command } from 'commander';
import type { Composed } from '../compose.js';
import { descendants } from './command-defaults.js';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

const MORE_HELP = `
Examples:
  devs completion bash > ~/.local/share/bash-completion/completions/devs
  devs completion zsh > "\${fpath[1]}/_devs"
  devs completion fish > ~/.config/fish/completions/devs.fish`;

/** Words that a shell may complete, for the commands of a program. */
export function completionCommand(services: Composed, done: (exitCode: number) => void): Command {
  return new Command('completion')
    .description('Print the completion of a shell')
    .addArgument(new Argument('<shell>', 'which one').choices(SHELLS))
    .addHelpText('after', MORE_HELP)
    .action((shell: Shell, _options: unknown, command: Command) => {
      services.print(renderCompletion(shell, listCommands(command.parent ?? command)));
      done(0);
    });
}

interface CompletedCommand {
  /** Below `devs`: `task add`. */
  readonly path: string;
  readonly description: string;
  readonly options: readonly string[];
}

function listCommands(program: Command): readonly CompletedCommand[] {
  const pathOf = (command: Command): string =>
    command.parent === null || command.parent === program
      ? command.name()
      : `${pathOf(command.parent)} ${command.name()}`;
  return descendants(program).map((command) => ({
    path: pathOf(command),
    description: command.description(),
    options: command.options.flatMap(({ long }) => (long === undefined || long === null ? [] : [long])),
  }));
}

/** Pure. */
export function renderCompletion(shell: Shell, commands: readonly CompletedCommand[]): string {
  if (shell === 'fish') return commands.flatMap(fishLines).join('\n');
  const cases = groupsOf(commands).map(({ path, words }) => `    "${path}") words="${words.join(' ')}" ;;`);
  const body = `_devs() {
  local words="" path="\${COMP_WORDS[1]}"
  [ "$COMP_CWORD" -le 1 ] && path=""
  [ "$COMP_CWORD" -ge 3 ] && case "\${COMP_WORDS[1]} \${COMP_WORDS[2]}" in
${commands
  .filter(({ path }) => path.includes(' '))
  .map(({ path }) => `    "${path}") path="${path}" ;;`)
  .join('\n')}
  esac
  case "$path" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _devs devs`;
  return shell === 'bash' ? body : `#compdef devs\nautoload -Uz bashcompinit && bashcompinit\n${body}`;
}

/** What may follow each path. */
function groupsOf(
  commands: readonly CompletedCommand[],
): readonly { readonly path: string; readonly words: readonly string[] }[] {
  const below = (path: string) =>
    commands
      .filter((command) => (path === '' ? !command.path.includes(' ') : command.path.startsWith(`${path} `)))
      .map((command) => command.path.slice(path === '' ? 0 : path.length + 1));
  return [{ path: '', options: ['--help', '--version'] }, ...commands].map(({ path, options }) => ({
    path,
    words: [...below(path), ...options],
  }));
}

function fishLines({ path, description, options }: CompletedCommand): readonly string[] {
  const [first = '', second] = path.split(' ');
  const quoted = description.replace(/['\\]/g, '\\$&');
  const where = second === undefined ? '__fish_use_subcommand' : `__fish_seen_subcommand_from ${first}`;
  return [
    `complete -c devs -f -n '${where}' -a '${second ?? first}' -d '${quoted}'`,
    ...options.map(
      (option) => `complete -c devs -n '__fish_seen_subcommand_from ${second ?? first}' -l '${option.slice(2)}'`,
    ),
  ];
}
