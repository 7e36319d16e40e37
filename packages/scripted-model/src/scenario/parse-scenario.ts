import { Composer, type CST, type Document, isMap, isNode, isScalar, Lexer, LineCounter, Parser } from 'yaml';
import type { z } from 'zod';
import type { Scenario } from './scenario.js';
import { ScenarioError, type ScenarioProblem } from './scenario-error.js';
import { ScenarioSchema } from './scenario-schema.js';

const MOST_CHARACTERS = 4_000_000;
/** Thousands make the composer of YAML, which is recursive, run out of stack. */
const MOST_LEVELS = 64;
const MOST_ALIASES = 100;
const MOST_PROBLEMS = 50;

/**
 * Parses a scenario from YAML or JSON.
 *
 * @throws {ScenarioError} with every problem and its place; no other error for any text
 */
export function parseScenario(text: string, path?: string): Scenario {
  const refuse = (problems: readonly ScenarioProblem[], cause?: unknown): never => {
    throw new ScenarioError({ problems: problems.slice(0, MOST_PROBLEMS), path, cause });
  };
  if (text.length > MOST_CHARACTERS) return refuse([atStart('The file is over 4 MB')]);
  const lines = new LineCounter();
  const document = compose(text, lines);
  if (typeof document === 'string') return refuse([atStart(document)]);
  if (document.errors.length > 0) {
    return refuse(document.errors.map(({ message, pos }) => ({ ...place(lines, pos[0]), message })));
  }
  const value = toValue(document);
  if (value instanceof Error) return refuse([atStart(value.message)], value);
  const checked = ScenarioSchema.safeParse(value ?? {});
  if (checked.success) return checked.data;
  return refuse(checked.error.issues.flatMap((issue) => explain(issue, document, lines)));
}

function compose(text: string, lines: LineCounter): Document.Parsed | string {
  const parser = new Parser(lines.addNewLine);
  const tokens: CST.Token[] = [];
  lines.addNewLine(0);
  for (const lexeme of new Lexer().lex(text.startsWith('\ufeff') ? text.slice(1) : text)) {
    tokens.push(...parser.next(lexeme));
    if (parser.stack.length > MOST_LEVELS) return `The file is nested more than ${MOST_LEVELS} levels deep`;
  }
  tokens.push(...parser.end());
  const documents = [...new Composer({ prettyErrors: false, merge: false }).compose(tokens, true, text.length)];
  const [document] = documents;
  if (document === undefined || documents.length > 1) return 'The file must hold one YAML document';
  return document as Document.Parsed;
}

/** Nested aliases can expand beyond the available memory. */
function toValue(document: Document.Parsed): unknown {
  try {
    return document.toJS({ maxAliasCount: MOST_ALIASES });
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function explain(issue: z.core.$ZodIssue, document: Document.Parsed, lines: LineCounter): readonly ScenarioProblem[] {
  const path = issue.path as readonly (string | number)[];
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      ...place(lines, keyOffset(document, path, key) ?? offsetOf(document, path)),
      message: `${naming(path)}there is no key '${key}'`,
    }));
  }
  return [{ ...place(lines, offsetOf(document, path)), message: `${naming(path)}${issue.message}` }];
}

/** `rules[0].reply[1].tool: ` */
const naming = (path: readonly (string | number)[]) => {
  const name = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('');
  return name === '' ? '' : `${name.replace(/^\./, '')}: `;
};

/** Place of the value, or of its nearest existing parent. */
function offsetOf(document: Document.Parsed, path: readonly (string | number)[]): number {
  for (let length = path.length; length >= 0; length--) {
    const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range != null) return node.range[0];
  }
  return 0;
}

function keyOffset(document: Document.Parsed, path: readonly (string | number)[], key: string): number | undefined {
  const map = path.length === 0 ? document.contents : document.getIn(path, true);
  if (!isMap(map)) return undefined;
  const pair = map.items.find((item) => isScalar(item.key) && String(item.key.value) === key);
  return isNode(pair?.key) ? pair.key.range?.[0] : undefined;
}

function place(lines: LineCounter, offset: number) {
  const { line, col } = lines.linePos(Math.max(offset, 0));
  return { line: Math.max(line, 1), column: Math.max(col, 1) };
}

const atStart = (message: string): ScenarioProblem => ({ line: 1, column: 1, message });
