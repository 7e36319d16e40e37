import { type ArgumentPart, type ArgumentSyntax, hasOption } from '../../driving/parse-arguments.js';

/** The options of opencode 1.18 that take values; all others take none or are new. */
export const OPENCODE_SYNTAX: ArgumentSyntax = {
  ...takes(
    'one',
    '--log-level --port --hostname --mdns-domain -m --model -s --session --prompt --agent --replay-limit',
  ),
  ...takes('many', '--cors'),
  ...takes('none', '-h --help -v --version --print-logs --pure --mdns -c --continue --fork --auto --mini --no-replay'),
};

function takes<Values extends string>(values: Values, names: string): Record<string, Values> {
  return Object.fromEntries(names.split(' ').map((name) => [name, values]));
}

const SUB_COMMANDS = new Set(
  `completion acp mcp attach run debug providers auth agent upgrade uninstall serve web models stats export import
github pr session plugin plug db`.split(/\s+/),
);

/** Something else than a conversation on the terminal. */
export function isOneOff(parts: readonly ArgumentPart[]): boolean {
  const first = parts.find(({ kind }) => kind === 'word');
  const isCommand = first?.kind === 'word' && SUB_COMMANDS.has(first.text);
  return isCommand || hasOption(parts, '-h', '--help', '-v', '--version', '--mini');
}

/** Belong to the conversation or the prompt of the first launch. */
export const FOR_FIRST_LAUNCH: readonly string[] = ['-s', '--session', '-c', '--continue', '--fork', '--prompt'];

export const withoutOptions = (parts: readonly ArgumentPart[], names: readonly string[]): readonly ArgumentPart[] =>
  parts.filter((part) => part.kind !== 'option' || !names.includes(part.name));
