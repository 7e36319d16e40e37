import { isMap, isScalar, isSeq, LineCounter, type ParsedNode } from 'yaml';
import { type Content, createAliasResolver, type ResolveAlias } from '../workflow/template/alias-resolver.js';
import { excerpt } from '../workflow/template/excerpt.js';
import { parseYaml } from '../workflow/template/parse-yaml.js';
import { createProblemList, type ProblemList } from '../workflow/template/problem-list.js';
import { checkKeys, readFields } from '../workflow/template/read-fields.js';
import {
  type Complain,
  describe,
  readChoice,
  readCount,
  readFlag,
  readText,
} from '../workflow/template/read-scalar.js';
import type { SettingMapping, SettingValue } from './setting-value.js';
import type { SettingLeaf, SettingValues } from './setting-values.js';
import { SETTINGS } from './settings-keys.js';

export interface TextPlace {
  readonly line: number;
  readonly column: number;
}

interface TextProblem extends TextPlace {
  readonly message: string;
  readonly hint?: string;
}

export interface ReadValues {
  readonly values: SettingValues;
  /** Of every key that was said, by its path, such as `pressure.soft`. */
  readonly places: ReadonlyMap<string, TextPlace>;
  readonly problems: readonly TextProblem[];
}

const MOST_CHARACTERS = 1_048_576;
const MOST_ITEMS = 1_000;
const KIND = { subject: 'The configuration', mayBeEmpty: true } as const;
const NAME = /^[a-z][a-z0-9-]{0,99}$/;

/** Reads a text by the table of keys. Reports every mistake and never throws. */
export function readSettingValues(yaml: string): ReadValues {
  const text = yaml.startsWith('\ufeff') ? yaml.slice(1) : yaml;
  const nothing = { values: {}, places: new Map() };
  if (text.length > MOST_CHARACTERS)
    return { ...nothing, problems: [{ message: 'The configuration is over 1 MB', line: 1, column: 1 }] };
  const lines = new LineCounter();
  const problems = createProblemList(lines);
  const root = parse(text, lines, problems);
  if (root === undefined) return { ...nothing, problems: problems.inOrder() };
  const offsets = new Map<string, number>();
  const reading = { problems, offsets, resolve: createAliasResolver(root, problems) };
  const values = readNode(root, SETTINGS, { name: 'The configuration', path: '', offset: root.range[0] }, reading);
  const places = new Map(
    [...offsets].map(([path, offset]) => {
      const { line, col: column } = lines.linePos(offset);
      return [path, { line, column }];
    }),
  );
  return { values: (values ?? {}) as SettingValues, places, problems: problems.inOrder() };
}

function parse(text: string, lines: LineCounter, problems: ProblemList): ParsedNode | undefined {
  try {
    return parseYaml(text, lines, problems, KIND);
  } catch {
    problems.add(0, 'Invalid YAML: the text cannot be parsed'); // the library promises to report and not to throw
    return undefined;
  }
}

interface Reading {
  readonly problems: ProblemList;
  readonly offsets: Map<string, number>;
  readonly resolve: ResolveAlias;
}

interface Spot {
  /** How messages call it. */
  readonly name: string;
  readonly path: string;
  readonly offset: number;
}

type Value = SettingLeaf | SettingValues | undefined;

/** An empty value says nothing: a file may list keys without values. */
function readNode(node: ParsedNode | null, value: SettingValue, spot: Spot, reading: Reading): Value {
  const content = node === null ? undefined : reading.resolve(node);
  if (content === undefined || (isScalar(content) && content.value === null)) return undefined;
  const complain: Complain = (message, hint) => reading.problems.add(spot.offset, `${spot.name} ${message}`, hint);
  switch (value.kind) {
    case 'text':
      return readText(content, complain);
    case 'choice':
      return readChoice(content, value, complain);
    case 'flag':
      return readFlag(content, complain);
    case 'count':
      return readCount(content, value, complain);
    case 'amount':
      return readAmount(content, value.most, complain);
    case 'pattern':
      return readPattern(content, complain);
    case 'texts':
      return readItems(content, { kind: 'text' }, spot, reading);
    case 'command':
      return readCommand(content, spot, reading);
    case 'commands':
      return readItems(content, { kind: 'command' }, spot, reading);
    case 'list':
      return readItems(content, value.of, { ...spot, name: value.called }, reading);
    case 'mapping':
      return readMapping(content, value, spot, reading);
    case 'named':
      return readNamed(content, value, spot, reading);
  }
}

function readAmount(content: Content, most: number, complain: Complain): number | undefined {
  const value = isScalar(content) ? content.value : undefined;
  if (typeof value === 'number' && value > 0 && value <= most) return value;
  complain(`must be a number above 0 and at most ${most}, got: ${describe(content)}`);
  return undefined;
}

function readPattern(content: Content, complain: Complain): string | undefined {
  const text = readText(content, complain);
  if (text === undefined || isPattern(text)) return text;
  complain(`must be a regular expression, got: ${excerpt(text)}`);
  return undefined;
}

function isPattern(source: string): boolean {
  try {
    new RegExp(source, 'u');
    return true;
  } catch {
    return false;
  }
}

function readCommand(content: Content, spot: Spot, reading: Reading): Value {
  if (!isSeq(content)) {
    const hint = `write ${asList(content)}: it is never given to a shell`;
    reading.problems.add(spot.offset, `${spot.name} must be a list of a program and its arguments`, hint);
    return undefined;
  }
  const parts = readItems(content, { kind: 'text' }, spot, reading);
  if (parts?.length === 0 && content.items.length > 0) return undefined;
  return parts;
}

function asList(content: Content): string {
  const line = isScalar(content) && typeof content.value === 'string' ? excerpt(content.value).trim() : 'npm test';
  return `[${line.split(/\s+/).join(', ')}]`;
}

function readItems(
  content: Content,
  value: SettingValue,
  spot: Spot,
  reading: Reading,
): readonly (SettingLeaf | SettingValues)[] | undefined {
  if (!isSeq(content) || content.items.length > MOST_ITEMS) {
    const expected = isSeq(content) ? `must have at most ${MOST_ITEMS} entries` : 'must be a list';
    reading.problems.add(spot.offset, `${spot.name} ${expected}, got: ${describe(content)}`);
    return undefined;
  }
  return content.items
    .map((node, index) => {
      const item = { name: `${spot.name} ${index + 1}`, path: `${spot.path}.${index}`, offset: node.range[0] };
      return readNode(node, value, item, { ...reading, offsets: new Map() });
    })
    .filter((item) => item !== undefined);
}

function readNamed(
  content: Content,
  { called, of }: Extract<SettingValue, { kind: 'named' }>,
  spot: Spot,
  reading: Reading,
): Value {
  const fields = fieldsOf(content, 'a mapping of names', spot, reading);
  if (fields === undefined) return undefined;
  const entries = [...fields].flatMap(([name, { key, value, node }]) => {
    if (!NAME.test(name)) {
      const message = `${called} name must be a word in small letters, got: ${excerpt(name)}`;
      reading.problems.add(key, message);
      return [];
    }
    const item = { name: `${called} '${name}'`, path: pathOf(spot.path, name), offset: value };
    const read = readNode(node, of, item, { ...reading, offsets: new Map() });
    reading.offsets.set(item.path, key);
    return read === undefined ? [] : [[name, read] as const];
  });
  return Object.fromEntries(entries);
}

function readMapping(
  content: Content,
  { keys, required = [], unless }: SettingMapping,
  spot: Spot,
  reading: Reading,
): Value {
  const fields = fieldsOf(content, 'a mapping of keys to values', spot, reading);
  if (fields === undefined) return undefined;
  checkKeys(fields, Object.keys(keys), { subject: spot.name, problems: reading.problems });
  const isNeeded = (name: string) => required.includes(name) && (unless === undefined || !fields.has(unless));
  const result: Record<string, SettingLeaf | SettingValues> = {};
  for (const [name, { value }] of Object.entries(keys)) {
    const field = fields.get(name);
    if (field === undefined) {
      if (isNeeded(name)) reading.problems.add(spot.offset, `${spot.name} must have '${name}'`);
      continue;
    }
    const path = pathOf(spot.path, name);
    const called = spot.path === '' ? name : `${spot.name}.${name}`;
    const read = readNode(field.node, value, { name: called, path, offset: field.value }, reading);
    if (read === undefined) continue;
    reading.offsets.set(path, field.key);
    result[name] = read;
  }
  return result;
}

function fieldsOf(content: Content, expected: string, { name, offset }: Spot, { problems }: Reading) {
  if (isMap(content)) return readFields(content, name, problems);
  problems.add(offset, `${name} must be ${expected}, got: ${describe(content)}`);
  return undefined;
}

const pathOf = (path: string, key: string) => (path === '' ? key : `${path}.${key}`);
