/** How many values an option takes: none, one, perhaps one, or all up to the next option. */
type OptionValues = 'none' | 'one' | 'maybe' | 'many';

/** Options by every name they have, such as `-r` and `--resume`. */
export type ArgumentSyntax = Readonly<Record<string, OptionValues>>;

/** One part of a command line; `tokens` are its words as they were typed. */
export type ArgumentPart =
  | {
      readonly kind: 'option';
      readonly name: string;
      readonly values: readonly string[];
      readonly tokens: readonly string[];
    }
  | { readonly kind: 'word'; readonly text: string; readonly tokens: readonly string[] }
  /** `--`: everything behind it is a word. */
  | { readonly kind: 'dashes'; readonly tokens: readonly string[] };

/**
 * Parses a command line. Pure and lossless: the tokens of all parts are the arguments.
 *
 * A word after an unknown option belongs to it: taking it for a prompt, and leaving it out of a later launch, would
 * change the meaning of the option.
 */
export function parseArguments(args: readonly string[], syntax: ArgumentSyntax): readonly ArgumentPart[] {
  const parts: ArgumentPart[] = [];
  for (let at = 0; at < args.length; ) {
    const token = args[at] as string;
    if (token === '--') {
      parts.push({ kind: 'dashes', tokens: [token] });
      for (const text of args.slice(at + 1)) parts.push({ kind: 'word', text, tokens: [text] });
      break;
    }
    if (!isOption(token)) {
      parts.push({ kind: 'word', text: token, tokens: [token] });
      at += 1;
      continue;
    }
    const taken = takeOption(args, at, syntax);
    parts.push(taken);
    at += taken.tokens.length;
  }
  return parts;
}

export const tokensOf = (parts: readonly ArgumentPart[]): readonly string[] => parts.flatMap(({ tokens }) => tokens);

/** The last value of an option, under any of its names. */
export function lastValue(parts: readonly ArgumentPart[], ...names: readonly string[]): string | undefined {
  return parts.flatMap((part) => (part.kind === 'option' && names.includes(part.name) ? part.values : [])).at(-1);
}

export const hasOption = (parts: readonly ArgumentPart[], ...names: readonly string[]): boolean =>
  parts.some((part) => part.kind === 'option' && names.includes(part.name));

/** A single dash is a word: the standard input. */
const isOption = (token: string) => token.length > 1 && token.startsWith('-');

function takeOption(args: readonly string[], at: number, syntax: ArgumentSyntax) {
  const token = args[at] as string;
  const [, name = token, value] = /^(--[^=]+)=([\s\S]*)$/.exec(token) ?? [];
  if (value !== undefined) return { kind: 'option', name, values: [value], tokens: [token] } as const;
  const [short, attached] = splitShort(token, syntax);
  if (attached !== undefined) return { kind: 'option', name: short, values: [attached], tokens: [token] } as const;
  const values = valuesBehind(args, at + 1, syntax[name] ?? 'maybe');
  return { kind: 'option', name, values, tokens: [token, ...values] } as const;
}

/** `-mopus` is `-m opus`. */
function splitShort(token: string, syntax: ArgumentSyntax): readonly [string, string?] {
  const short = token.slice(0, 2);
  const takes = syntax[short];
  const isAttached = !token.startsWith('--') && token.length > 2 && takes !== undefined && takes !== 'none';
  return isAttached ? [short, token.slice(2).replace(/^=/, '')] : [token];
}

function valuesBehind(args: readonly string[], from: number, takes: OptionValues): readonly string[] {
  const rest = args.slice(from);
  switch (takes) {
    case 'none':
      return [];
    case 'one':
      return rest.slice(0, 1);
    case 'maybe':
      return rest[0] === undefined || rest[0] === '--' || isOption(rest[0]) ? [] : rest.slice(0, 1);
    case 'many': {
      const end = rest.findIndex((token) => token === '--' || isOption(token));
      return end === -1 ? rest : rest.slice(0, end);
    }
  }
}
