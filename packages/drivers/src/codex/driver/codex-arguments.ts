import { type ArgumentPart, type ArgumentSyntax, hasOption } from '../../driving/parse-arguments.js';

/** The options of Codex 0.166 that take values; all others take none or are new. */
export const CODEX_SYNTAX: ArgumentSyntax = {
  ...takes('many', '-i --image'),
  ...takes('one', '-c --config --enable --disable --remote --remote-auth-token-env -m --model --local-provider'),
  ...takes('one', '-p --profile -s --sandbox -C --cd --add-dir -a --ask-for-approval'),
  ...takes('none', '--oss --strict-config --approve-for-me --dangerously-bypass-approvals-and-sandbox --worktree'),
  ...takes('none', '--dangerously-bypass-hook-trust --search --no-alt-screen --last --all --include-non-interactive'),
  ...takes('none', '-h --help -V --version --full-auto'),
};

function takes<Values extends string>(values: Values, names: string): Record<string, Values> {
  return Object.fromEntries(names.split(' ').map((name) => [name, values]));
}

const SUB_COMMANDS = new Set(
  `agents exec e review login logout mcp plugin app-server remote-control completion update doctor sandbox debug apply a
queue archive delete migrate-rollouts migrate-nfs-db unarchive cloud exec-server features help mcp-server`.split(/\s+/),
);

/** A command line of Codex, taken apart by what its words mean. */
export interface CodexArguments {
  readonly options: readonly ArgumentPart[];
  /** `resume` or `fork`, with the conversation where it is named. */
  readonly opens?: { readonly command: 'resume' | 'fork'; readonly id?: string };
  readonly prompt?: string;
  readonly isOneOff: boolean;
}

export function readCodexArguments(parts: readonly ArgumentPart[]): CodexArguments {
  const options = parts.filter(({ kind }) => kind === 'option');
  const words = parts.flatMap((part) => (part.kind === 'word' ? [part.text] : []));
  const [first] = words;
  const isOneOff =
    hasOption(parts, '-h', '--help', '-V', '--version', '--remote') || (first !== undefined && SUB_COMMANDS.has(first));
  if (first !== 'resume' && first !== 'fork') {
    return { options, isOneOff, ...(first === undefined ? {} : { prompt: first }) };
  }
  const isLast = hasOption(parts, '--last');
  const [id, prompt] = isLast ? [undefined, words[1]] : [words[1], words[2]];
  return {
    options,
    isOneOff,
    opens: { command: first, ...(id === undefined ? {} : { id }) },
    ...(prompt === undefined ? {} : { prompt }),
  };
}

/** Belong to the conversation or the prompt of the first launch. */
export const FOR_FIRST_LAUNCH = ['--last', '--all', '--include-non-interactive', '-i', '--image'];

export const withoutOptions = (parts: readonly ArgumentPart[], names: readonly string[]): readonly ArgumentPart[] =>
  parts.filter((part) => part.kind !== 'option' || !names.includes(part.name));

/** The key of a `-c key=value`. */
export const configKey = (part: ArgumentPart): string | undefined =>
  part.kind === 'option' && (part.name === '-c' || part.name === '--config')
    ? part.values[0]?.split('=')[0]?.trim()
    : undefined;
