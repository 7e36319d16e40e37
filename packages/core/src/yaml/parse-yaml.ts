import { Composer, type CST, Lexer, type LineCounter, type ParsedNode, Parser, type YAMLError } from 'yaml';
import { excerpt } from './excerpt.js';
import type { ProblemList } from './problem-list.js';

/** A real file needs ten. Thousands make the composer, which is recursive, abort the whole process. */
const MAX_LEVELS = 64;
/** Each error takes far more time than valid text. */
const MAX_SYNTAX_ERRORS = 100;

const OPTIONS = {
  schema: 'core',
  merge: false,
  resolveKnownTags: false,
  stringKeys: true,
  uniqueKeys: false, // checked later: the composer compares every key with every other
  prettyErrors: false,
} as const;

/** How messages call the text, and whether it may hold nothing. */
interface Kind {
  readonly subject: string;
  readonly mayBeEmpty: boolean;
}

/** Parses the text into a tree with places; `undefined` unless it is one document of valid YAML. */
export function parseYaml(text: string, lines: LineCounter, problems: ProblemList, kind: Kind): ParsedNode | undefined {
  const tokens = readTokens(text, lines, problems, kind);
  if (tokens === undefined) return undefined;
  const [document, another] = new Composer(OPTIONS).compose(tokens, true, text.length);
  const errors = document?.errors ?? [];
  for (const error of [...errors, ...(document?.warnings ?? [])]) explain(error, text, problems);
  if (another !== undefined) {
    problems.add(another.range[0], 'The file holds more than one YAML document', "remove the '---' between them");
  }
  if (errors.length > 0 || another !== undefined) return undefined;
  if (document?.contents == null && !kind.mayBeEmpty) problems.add(0, `${kind.subject} is empty`);
  return document?.contents ?? undefined;
}

function readTokens(
  text: string,
  lines: LineCounter,
  problems: ProblemList,
  { subject }: Kind,
): readonly CST.Token[] | undefined {
  const parser = new Parser(lines.addNewLine);
  const tokens: CST.Token[] = [];
  let errors = 0;
  lines.addNewLine(0);
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) {
      tokens.push(token);
      if (token.type === 'error') errors++;
    }
    if (errors > MAX_SYNTAX_ERRORS) return tokens;
    if (parser.stack.length > MAX_LEVELS) {
      problems.add(parser.offset, `${subject} is nested more than ${MAX_LEVELS} levels deep`);
      return undefined;
    }
  }
  return [...tokens, ...parser.end()];
}

function explain({ code, message, pos }: YAMLError, text: string, problems: ProblemList): void {
  const [start, end] = pos;
  const at = Math.max(start, 0);
  switch (code) {
    case 'TAG_RESOLVE_FAILED':
    case 'BAD_COLLECTION_TYPE':
      problems.add(at, `The tag ${excerpt(text.slice(at, end))} is not allowed`, 'write the plain value without a tag');
      break;
    case 'NON_STRING_KEY':
      problems.add(at, 'Keys must be plain text');
      break;
    case 'BLOCK_AS_IMPLICIT_KEY':
      problems.add(at, `Invalid YAML: ${message}`, "text with ': ' in it needs quotes, or a '|' and lines of its own");
      break;
    default:
      problems.add(at, `Invalid YAML: ${message}`);
  }
}
