import { type Alias, isAlias, isMap, isScalar, isSeq, type ParsedNode, type YAMLMap } from 'yaml';
import { excerpt } from './excerpt.js';
import type { ProblemList } from './problem-list.js';

/** A few nested aliases can expand to more text than there are atoms; a real file repeats a paragraph or two. */
const MAX_ALIASED_CHARACTERS = 1_000_000;

export type Content = Exclude<ParsedNode, Alias.Parsed>;
export type Path = readonly PropertyKey[];

/** One entry of a mapping or a list. */
export interface Field {
  /** Where the key is. */
  readonly key: number;
  /** Where the value is; of an empty one, its key. */
  readonly value: number;
  readonly node: ParsedNode | null;
}

/** A key that a mapping has twice; the first one counts. */
interface RepeatedKey {
  readonly path: Path;
  readonly key: string;
  readonly offset: number;
  readonly first: number;
}

interface Known {
  readonly node: Content;
  /** Missing until the node is read: an alias in it would stand for itself. */
  read?: Read;
}

interface Read {
  readonly value: unknown;
  /** Characters with all aliases written out. */
  readonly size: number;
}

/** The plain values of a text, with aliases resolved, and the places of all of them. */
export class YamlTree {
  readonly value: unknown;
  readonly repeated: RepeatedKey[] = [];
  /** Keys that mean something to every object; a schema of names does not see them. */
  readonly reserved: Path[] = [];
  /** Missing, endless or too large aliases are reported, and then the values are not whole. */
  isWhole = true;

  readonly #root: ParsedNode;
  readonly #problems: ProblemList;
  readonly #anchors = new Map<string, Known>();
  readonly #targets = new Map<ParsedNode, Content>();
  readonly #fields = new Map<YAMLMap.Parsed, ReadonlyMap<string, Field>>();
  #aliased = 0;

  constructor(root: ParsedNode, problems: ProblemList) {
    this.#root = root;
    this.#problems = problems;
    this.value = this.#read(root, []).value;
  }

  /** The part at a path; `undefined` where there is none. */
  partAt(path: Path): Field | undefined {
    let part: Field = { key: this.#root.range[0], value: this.#root.range[0], node: this.#root };
    for (const step of path) {
      const inner = this.#innerPart(part.node, step);
      if (inner === undefined) return undefined;
      part = inner;
    }
    return part;
  }

  /** The part at a path, or the nearest one around it. */
  nearest(path: Path): Field {
    const part = this.partAt(path);
    return part ?? this.nearest(path.slice(0, -1));
  }

  /** The keys of the mapping at a path. */
  namesIn(path: Path): readonly string[] {
    const part = this.partAt(path);
    const content = part === undefined ? undefined : this.contentOf(part);
    return isMap(content) ? [...(this.#fields.get(content)?.keys() ?? [])] : [];
  }

  contentOf({ node }: Field): Content | undefined {
    if (node === null || !isAlias(node)) return node ?? undefined;
    return this.#targets.get(node);
  }

  #innerPart(node: ParsedNode | null, step: PropertyKey): Field | undefined {
    const content = node !== null && isAlias(node) ? this.#targets.get(node) : node;
    if (isMap(content)) return this.#fields.get(content)?.get(String(step));
    const item = isSeq(content) ? content.items[Number(step)] : undefined;
    return item === undefined ? undefined : { key: item.range[0], value: item.range[0], node: item };
  }

  #read(node: ParsedNode | null, path: Path): Read {
    if (node === null) return { value: null, size: 1 };
    if (isAlias(node)) return this.#readAlias(node);
    const known: Known = { node };
    if (node.anchor !== undefined) this.#anchors.set(node.anchor, known);
    known.read = this.#readContent(node, path);
    return known.read;
  }

  #readContent(node: Content, path: Path): Read {
    const own = node.range[1] - node.range[0] + 1;
    if (isScalar(node)) return { value: node.value, size: own };
    const read = isSeq(node) ? this.#readItems(node.items, path) : this.#readMapping(node, path);
    return { value: read.value, size: Math.max(own, read.size) };
  }

  #readItems(items: readonly ParsedNode[], path: Path): Read {
    const read = items.map((item, index) => this.#read(item, [...path, index]));
    return { value: read.map(({ value }) => value), size: read.reduce((sum, { size }) => sum + size, 0) };
  }

  #readMapping(map: YAMLMap.Parsed, path: Path): Read {
    const fields = this.#readKeys(map, path);
    this.#fields.set(map, fields);
    if (fields.has('__proto__')) this.reserved.push([...path, '__proto__']);
    const entries = [...fields].map(([key, { node }]) => ({ key, ...this.#read(node, [...path, key]) }));
    return {
      value: Object.fromEntries(entries.map(({ key, value }) => [key, value])),
      size: entries.reduce((sum, { key, size }) => sum + key.length + size, 0),
    };
  }

  #readKeys(map: YAMLMap.Parsed, path: Path): ReadonlyMap<string, Field> {
    const fields = new Map<string, Field>();
    for (const { key: keyNode, value: node } of map.items) {
      if (!isScalar(keyNode) || typeof keyNode.value !== 'string') continue; // not valid YAML here, and reported as that
      const [offset] = keyNode.range;
      const first = fields.get(keyNode.value);
      if (first === undefined) {
        fields.set(keyNode.value, { key: offset, value: isEmpty(node) ? offset : node.range[0], node });
      } else this.repeated.push({ path, key: keyNode.value, offset, first: first.key });
    }
    return fields;
  }

  /** An alias means the last anchor of its name before it. */
  #readAlias(node: Alias.Parsed): Read {
    const known = this.#anchors.get(node.source);
    if (known === undefined) {
      return this.#refuse(node, `Nothing before this alias is marked as '&${excerpt(node.source)}'`);
    }
    if (known.read === undefined) {
      return this.#refuse(node, `The alias '*${excerpt(node.source)}' stands for a part that it is in`);
    }
    this.#aliased += known.read.size;
    if (this.#aliased > MAX_ALIASED_CHARACTERS) {
      return this.#refuse(
        node,
        `Aliases stand for more than ${MAX_ALIASED_CHARACTERS} characters`,
        'use fewer of them',
      );
    }
    this.#targets.set(node, known.node);
    return known.read;
  }

  /** One alias that is too much is followed by thousands. */
  #refuse(node: Alias.Parsed, message: string, hint?: string): Read {
    if (this.isWhole || this.#aliased <= MAX_ALIASED_CHARACTERS) this.#problems.add(node.range[0], message, hint);
    this.isWhole = false;
    return { value: undefined, size: 1 };
  }
}

const isEmpty = (node: ParsedNode | null): node is null =>
  node === null || (isScalar(node) && node.value === null && node.source === '');
