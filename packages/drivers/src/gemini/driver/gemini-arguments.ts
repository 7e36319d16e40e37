import { type ArgumentPart, type ArgumentSyntax, hasOption } from '../../driving/parse-arguments.js';

/** The options of Gemini CLI 0.61 that take values; all others take none or are new. */
export const GEMINI_SYNTAX: ArgumentSyntax = {
  ...takes(
    'one',
    `-m --model -p --prompt -i --prompt-interactive --approval-mode --session-id --session-file --delete-session
-o --output-format --policy --admin-policy`,
  ),
  ...takes('maybe', '-r --resume -w --worktree'),
  ...takes('many', '--allowed-mcp-server-names --allowed-tools -e --extensions --include-directories'),
  ...takes(
    'none',
    `-d --debug -s --sandbox -y --yolo --acp --experimental-acp -l --list-extensions --list-sessions --screen-reader
--raw-output --accept-raw-output-risk --skip-trust -v --version -h --help`,
  ),
};

function takes<Values extends string>(values: Values, names: string): Record<string, Values> {
  return Object.fromEntries(names.split(/\s+/).map((name) => [name, values]));
}

const SUB_COMMANDS = new Set(['mcp', 'extensions', 'extension', 'skills', 'skill', 'hooks', 'hook', 'gemma']);

/** Something else than a conversation on the terminal. */
export function isOneOff(parts: readonly ArgumentPart[]): boolean {
  const first = parts.find(({ kind }) => kind === 'word');
  const isCommand = first?.kind === 'word' && SUB_COMMANDS.has(first.text);
  return isCommand || hasOption(parts, ...ONE_OFF);
}

const ONE_OFF =
  '-p --prompt -o --output-format --acp --experimental-acp -l --list-extensions --list-sessions --delete-session -v --version -h --help'.split(
    ' ',
  );

/** They choose a conversation themselves. */
export const CHOOSES_CONVERSATION: readonly string[] = ['-r', '--resume', '--session-id', '--session-file'];

/** Belong to the conversation or the prompt of the first launch. */
export const FOR_FIRST_LAUNCH: readonly string[] = [...CHOOSES_CONVERSATION, '-i', '--prompt-interactive'];

export const withoutOptions = (parts: readonly ArgumentPart[], names: readonly string[]): readonly ArgumentPart[] =>
  parts.filter((part) => part.kind !== 'option' || !names.includes(part.name));
