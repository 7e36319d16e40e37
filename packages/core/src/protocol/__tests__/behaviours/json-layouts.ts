/** One token of a whole JSON document; `depth` counts the containers around it. */
export interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly depth: number;
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s{}[\]:,"]+/gs;

export function tokensOf(document: string): Token[] {
  let depth = 0;
  return [...document.matchAll(TOKEN)].map(({ 0: text, index }) => {
    if (isClosing(text)) depth--;
    const token = { text, start: index, end: index + text.length, depth };
    if (isOpening(text)) depth++;
    return token;
  });
}

export const isOpening = (text: string) => text === '{' || text === '[';
export const isClosing = (text: string) => text === '}' || text === ']';

/** How models lay out JSON: the text between two tokens, and whether depth counts from the first shown token. */
interface Layout {
  readonly indent?: string;
  readonly lineBreak?: string;
  readonly afterComma?: string;
  readonly afterColon?: string;
  readonly dedented?: boolean;
}

const LAYOUTS = {
  compact: {},
  'one line': { afterComma: ' ', afterColon: ' ' },
  pretty: { indent: '  ', lineBreak: '\n', afterColon: ' ' },
  dedented: { indent: '  ', lineBreak: '\n', afterColon: ' ', dedented: true },
  wide: { indent: '    ', lineBreak: '\n', afterColon: ' ' },
  tabs: { indent: '\t', lineBreak: '\n', afterColon: ' ' },
  'CR LF': { indent: '  ', lineBreak: '\r\n', afterColon: ' ' },
} as const satisfies Record<string, Layout>;

export type LayoutName = keyof typeof LAYOUTS;
export const LAYOUT_NAMES = Object.keys(LAYOUTS) as LayoutName[];

/** Tokens that follow each other in a document, in the layout asked for. */
export function layOut(tokens: readonly Pick<Token, 'text' | 'depth'>[], name: LayoutName): string {
  const { indent, lineBreak = '', afterComma = '', afterColon = '', dedented = false }: Layout = LAYOUTS[name];
  const base = dedented ? (tokens[0]?.depth ?? 0) : 0;
  const newLine = (depth: number) => (indent === undefined ? '' : lineBreak + indent.repeat(Math.max(0, depth - base)));
  let text = '';
  tokens.forEach((token, index) => {
    const before = tokens[index - 1]?.text ?? '';
    if (isOpening(before) && !isClosing(token.text)) text += newLine(token.depth);
    else if (isClosing(token.text) && index > 0 && !isOpening(before)) text += newLine(token.depth);
    else if (before === ',') text += indent === undefined ? afterComma : newLine(token.depth);
    else if (before === ':') text += afterColon;
    text += token.text;
  });
  return text;
}
