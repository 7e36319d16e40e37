import { isMap, isScalar, isSeq, type ParsedNode } from 'yaml';
import { excerpt } from '../../yaml/excerpt.js';
import type { ProblemList } from '../../yaml/problem-list.js';
import { type Content, createAliasResolver, type ResolveAlias } from './alias-resolver.js';
import { callStep, type Draft, type Places } from './draft.js';
import { checkKeys, type Field, readFields } from './read-fields.js';
import { type Complain, checkId, describe, readChoice, readCount, readFlag, readId, readText } from './read-scalar.js';
import { type Key, type List, type Mapping, MOST_STEPS, type Named, TEMPLATE, type Value } from './template-keys.js';

interface Reading {
  readonly problems: ProblemList;
  readonly places: Places;
  readonly resolve: ResolveAlias;
}

/** A value in the text, and how messages call it. */
interface Spot {
  readonly name: string;
  readonly offset: number;
  readonly content: Content;
}

/** Reads a template by the tables of keys: reports what does not fit, and gives the rest, frozen. */
export function readTemplate(root: ParsedNode, problems: ProblemList, places: Places): Draft {
  const reading = { problems, places, resolve: createAliasResolver(root, problems) };
  return (readNode(root, TEMPLATE, { name: 'Template', offset: root.range[0] }, reading) ?? {}) as Draft;
}

function readNode(
  node: ParsedNode | null,
  value: Value,
  { name, offset }: Omit<Spot, 'content'>,
  reading: Reading,
): unknown {
  if (node === null) {
    reading.problems.add(offset, `${name} has no value`);
    return undefined;
  }
  const content = reading.resolve(node);
  return content === undefined ? undefined : readValue({ name, offset, content }, value, reading);
}

function readValue(spot: Spot, value: Value, reading: Reading): unknown {
  const complain = complainer(spot, reading);
  switch (value.kind) {
    case 'text':
    case 'reference': // whether it exists is seen when everything is read
      return readText(spot.content, complain);
    case 'id':
      return readId(spot.content, complain);
    case 'choice':
      return readChoice(spot.content, value, complain);
    case 'flag':
      return readFlag(spot.content, complain);
    case 'count':
      return readCount(spot.content, value, complain);
    case 'texts':
      return readTexts(spot, reading);
    case 'mapping':
      return readMapping(spot, value, reading);
    case 'list':
      return readList(spot, value, reading);
    case 'named':
      return readNamed(spot, value, reading);
  }
}

function readTexts(spot: Spot, reading: Reading): readonly unknown[] | undefined {
  const { name, content } = spot;
  if (!isSeq(content)) {
    const single = isScalar(content) && typeof content.value === 'string';
    complainer(spot, reading)(
      `must be a list of strings, got: ${describe(content)}`,
      single ? `write [${describe(content)}]` : undefined,
    );
    return undefined;
  }
  const texts = content.items.map((node, index) =>
    readNode(node, { kind: 'text' }, { name: `${name} entry ${index + 1}`, offset: node.range[0] }, reading),
  );
  return Object.freeze(texts);
}

function readList(spot: Spot, { called, of }: List, reading: Reading): readonly unknown[] | undefined {
  const complain = complainer(spot, reading);
  if (!isSeq(spot.content)) {
    complain(`must be a list of steps, got: ${describe(spot.content)}`);
    return undefined;
  }
  const nodes = spot.content.items;
  if (nodes.length === 0) complain('must have at least one step');
  if (nodes.length > MOST_STEPS) {
    complain(`must have at most ${MOST_STEPS} steps, got: ${nodes.length}`);
    return undefined;
  }
  const items = nodes.flatMap((node, index) => {
    const content = reading.resolve(node);
    if (content === undefined) return [];
    const mapping = readMapping(
      { name: callStep(called, idOf(content), index), offset: node.range[0], content },
      of,
      reading,
    );
    return mapping ?? [];
  });
  checkIdsDiffer(items, called, reading);
  return Object.freeze(items);
}

function checkIdsDiffer(
  items: readonly { readonly id?: unknown }[],
  called: string,
  { problems, places }: Reading,
): void {
  const first = new Map<unknown, number>();
  for (const item of items) {
    const { id } = item;
    const offset = places.get(item)?.get('id')?.value;
    if (id === undefined || offset === undefined) continue;
    const before = first.get(id);
    if (before === undefined) first.set(id, offset);
    else
      problems.add(offset, `${called} '${id}' is there twice`, `the first is in line ${problems.placeOf(before).line}`);
  }
}

function readNamed(spot: Spot, { called, of }: Named, reading: Reading): object | undefined {
  const fields = readMap(spot, 'a mapping of names', reading);
  if (fields === undefined) return undefined;
  const entries = [...fields].map(([id, { key, value, node }]) => {
    checkId(id, (message, hint) => reading.problems.add(key, `${called} name ${message}`, hint));
    return [id, readNode(node, of, { name: `${called} '${excerpt(id)}'`, offset: value }, reading)];
  });
  return remember(Object.fromEntries(entries), fields, reading);
}

function readMapping(spot: Spot, { keys }: Mapping, reading: Reading): object | undefined {
  const { name } = spot;
  const { problems } = reading;
  const fields = readMap(spot, 'a mapping of keys to values', reading);
  if (fields === undefined) return undefined;
  checkKeys(fields, Object.keys(keys), { subject: name, problems });
  const result: Record<string, unknown> = {};
  for (const [key, spec] of Object.entries(keys)) {
    const field = fields.get(key);
    const { type } = result;
    if (field === undefined) {
      if (isRequired(spec, type)) problems.add(spot.content.range[0], `${name} must have '${key}'`);
    } else if (spec.only !== undefined && isOther(spec.only.types, type)) {
      problems.add(field.key, `${name} is of type ${type} and cannot have '${key}'`, spec.only.otherwise);
    } else {
      if (spec.beside !== undefined && lacks(result, fields, spec.beside)) {
        const { key: other, value } = spec.beside;
        problems.add(field.key, `${name} has '${key}' without '${other}: ${value}'`, 'it would be ignored');
      }
      const value = readNode(field.node, spec.value, { name: `${name} ${key}`, offset: field.value }, reading);
      if (value !== undefined) result[key] = value;
    }
  }
  return remember(result, fields, reading);
}

function readMap(spot: Spot, expected: string, reading: Reading): ReadonlyMap<string, Field> | undefined {
  if (isMap(spot.content)) return readFields(spot.content, spot.name, reading.problems);
  complainer(spot, reading)(`must be ${expected}, got: ${describe(spot.content)}`);
  return undefined;
}

const complainer =
  ({ name, offset }: Spot, { problems }: Reading): Complain =>
  (message, hint) =>
    problems.add(offset, `${name} ${message}`, hint);

function remember<T extends object>(mapping: T, fields: ReadonlyMap<string, Field>, { places }: Reading): T {
  places.set(mapping, fields);
  return Object.freeze(mapping);
}

const isRequired = ({ required }: Key, type: unknown) =>
  required === true || (required?.some((one) => one === type) ?? false);

/** A problem with the type itself is reported where it is read. */
const isOther = (types: readonly unknown[], type: unknown) => type !== undefined && !types.includes(type);

function lacks(
  mapping: Readonly<Record<string, unknown>>,
  fields: ReadonlyMap<string, Field>,
  { key, value }: NonNullable<Key['beside']>,
): boolean {
  const isWrongItself = fields.has(key) && mapping[key] === undefined;
  return mapping[key] !== value && !isWrongItself;
}

function idOf(content: Content): string | undefined {
  if (!isMap(content)) return undefined;
  const pair = content.items.find(({ key }) => isScalar(key) && key.value === 'id');
  return isScalar(pair?.value) && typeof pair.value.value === 'string' ? pair.value.value : undefined;
}
