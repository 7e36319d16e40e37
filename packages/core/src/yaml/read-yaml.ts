import { LineCounter } from 'yaml';
import { z } from 'zod';
import { excerpt } from './excerpt.js';
import { explainIssue, kindOfName, unworded } from './explain-issue.js';
import { parseYaml } from './parse-yaml.js';
import { createProblemList, type ProblemList } from './problem-list.js';
import { schemaAt } from './schema-parts.js';
import { type Path, YamlTree } from './yaml-tree.js';

/** A kind of text that people write, as one schema describes it. */
export interface TextKind<T> {
  readonly schema: z.ZodType<T>;
  /** How messages call the text, such as `The template`. */
  readonly subject: string;
  readonly maxMegabytes: number;
  /** What to do with a larger one. */
  readonly tooLarge?: string;
  /** Whether a text may say nothing. */
  readonly mayBeEmpty: boolean;
  /** Whether a key without a value counts as left out. */
  readonly mayLackValues?: boolean;
  /** How messages call the part at a path; `root` is everything that the text says. */
  nameOf(path: Path, root: unknown): string;
}

/** A text that was read. */
export interface ReadText<T> {
  /** With defaults; only where nothing is wrong. */
  readonly value?: T;
  /** What the text says itself, without the parts that are of the wrong kind. */
  readonly said: unknown;
  readonly problems: ProblemList;
  readonly places: Places;
  /** Without a byte-order mark: places count from here. */
  readonly text: string;
}

/** Offsets in the text. */
interface Places {
  has(path: Path): boolean;
  /** Names in the mapping at a path, also of parts that are wrong. */
  namesIn(path: Path): readonly string[];
  keyOf(path: Path): number;
  valueOf(path: Path): number;
  /** Where an alias points to, or the value itself. */
  contentOf(path: Path): number;
}

const NOWHERE: Places = {
  has: () => false,
  namesIn: () => [],
  keyOf: () => 0,
  valueOf: () => 0,
  contentOf: () => 0,
};

const placesOf = (tree: YamlTree): Places => ({
  has: (path) => tree.partAt(path) !== undefined,
  namesIn: (path) => tree.namesIn(path),
  keyOf: (path) => tree.nearest(path).key,
  valueOf: (path) => tree.nearest(path).value,
  contentOf: (path) => tree.contentOf(tree.nearest(path))?.range[0] ?? tree.nearest(path).value,
});

/** Reads a text by its schema. Reports every mistake with its place, and never throws. Pure. */
export function readYaml<T>(yaml: string, kind: TextKind<T>): ReadText<T> {
  const text = withoutMark(yaml);
  const lines = new LineCounter();
  const problems = createProblemList(lines);
  const nothing = { said: undefined, problems, places: NOWHERE, text };
  if (isLonger(text, kind.maxMegabytes * 1_048_576)) {
    lines.addNewLine(0);
    problems.add(0, `${kind.subject} is over ${kind.maxMegabytes} MB`, kind.tooLarge);
    return nothing;
  }
  const root = parse(text, { lines, problems, kind });
  if (root === undefined) return problems.isEmpty ? { ...nothing, ...check({}, kind), said: {} } : nothing;
  const tree = new YamlTree(root, problems);
  const written = kind.mayBeEmpty ? (tree.value ?? {}) : tree.value;
  const said = kind.mayLackValues === true ? withoutEmpty(written) : written;
  const nameOf = (path: Path) => kind.nameOf(path, said);
  for (const { path, key, offset, first } of tree.repeated) {
    const hint = `the first is in line ${problems.placeOf(first).line}`;
    problems.add(offset, `${nameOf(path)} has the key '${excerpt(key)}' twice`, hint);
  }
  for (const path of tree.reserved) {
    if (!(schemaAt(kind.schema, path.slice(0, -1)) instanceof z.ZodRecord)) continue; // else it is an unknown key
    problems.add(tree.nearest(path).key, `${kindOfName(nameOf(path))} is a reserved word`, 'choose another');
  }
  const places = placesOf(tree);
  if (!tree.isWhole) return { ...nothing, places };
  const { value, issues = [] } = check(said, kind);
  for (const issue of issues) {
    for (const { offset, message, hint } of explainIssue(issue, { schema: kind.schema, tree, said, nameOf }))
      problems.add(offset, message, hint);
  }
  return { ...(value === undefined ? {} : { value }), said: withoutWrong(said, issues), problems, places, text };
}

interface Parsing<T> {
  readonly lines: LineCounter;
  readonly problems: ProblemList;
  readonly kind: TextKind<T>;
}

function parse<T>(text: string, { lines, problems, kind }: Parsing<T>) {
  try {
    return parseYaml(text, lines, problems, kind);
  } catch {
    problems.add(0, 'Invalid YAML: the text cannot be parsed'); // the library promises to report and not to throw
    return undefined;
  }
}

function check<T>(said: unknown, { schema }: TextKind<T>): { readonly value?: T; readonly issues?: readonly Issue[] } {
  const checked = schema.safeParse(said, { error: unworded });
  return checked.success ? { value: checked.data } : { issues: firstOfEach(checked.error.issues) };
}

type Issue = z.core.$ZodIssue;

/** One value, one complaint. */
function firstOfEach(issues: readonly Issue[]): readonly Issue[] {
  const seen = new Set<string>();
  return issues.filter(({ code, path }) => {
    const subject = JSON.stringify([code === 'unrecognized_keys', ...path]);
    return !seen.has(subject) && seen.add(subject);
  });
}

/** A mapping without its keys that have no value. */
function withoutEmpty(value: unknown): unknown {
  if (!isMapping(value)) return value;
  const entries = Object.entries(value).filter(([, part]) => part !== null);
  return Object.fromEntries(entries.map(([key, part]) => [key, withoutEmpty(part)]));
}

/** Names and texts that are only written wrongly stay: other parts may refer to them. */
const IS_KEPT = new Set(['custom', 'invalid_key']);

function withoutWrong(said: unknown, issues: readonly Issue[]): unknown {
  const wrong = issues.filter(({ code }) => !IS_KEPT.has(code)).flatMap(pathsOf);
  return wrong.length === 0 ? said : without(said, [], new Set(wrong.map((path) => JSON.stringify(path))));
}

const pathsOf = (issue: Issue): readonly Path[] =>
  issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path];

/** Items of a list keep their numbers. */
function without(value: unknown, path: Path, wrong: ReadonlySet<string>): unknown {
  if (wrong.has(JSON.stringify(path))) return undefined;
  if (Array.isArray(value)) return value.map((item, index) => without(item, [...path, index], wrong));
  if (!isMapping(value)) return value;
  const entries = Object.entries(value).map(([key, part]) => [key, without(part, [...path, key], wrong)] as const);
  return Object.fromEntries(entries.filter(([, part]) => part !== undefined));
}

const isMapping = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const withoutMark = (text: string): string => (text.startsWith('\ufeff') ? text.slice(1) : text);

/** A UTF-16 unit is at most three bytes. */
const isLonger = (text: string, bytes: number): boolean =>
  text.length > bytes || (text.length * 3 > bytes && new TextEncoder().encode(text).length > bytes);
