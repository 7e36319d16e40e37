import { isScalar, type ParsedNode, type YAMLMap } from 'yaml';
import { didYouMean } from '../../yaml/did-you-mean.js';
import { excerpt } from '../../yaml/excerpt.js';
import type { ProblemList } from '../../yaml/problem-list.js';

/** One entry of a mapping. */
export interface Field {
  /** Where the key is. */
  readonly key: number;
  /** Where the value is; of an empty one, its key. */
  readonly value: number;
  readonly node: ParsedNode | null;
}

/** The entries of a mapping by key. Reports a duplicate key and uses the first. */
export function readFields(map: YAMLMap.Parsed, subject: string, problems: ProblemList): ReadonlyMap<string, Field> {
  const fields = new Map<string, Field>();
  for (const { key: keyNode, value: node } of map.items) {
    if (!isScalar(keyNode) || typeof keyNode.value !== 'string') continue; // not valid YAML here, and reported as that
    const [key] = keyNode.range;
    const first = fields.get(keyNode.value);
    if (first === undefined) {
      fields.set(keyNode.value, { key, value: isEmpty(node) ? key : node.range[0], node });
    } else {
      const hint = `the first is in line ${problems.placeOf(first.key).line}`;
      problems.add(key, `${subject} has the key '${excerpt(keyNode.value)}' twice`, hint);
    }
  }
  return fields;
}

const isEmpty = (node: ParsedNode | null): node is null =>
  node === null || (isScalar(node) && node.value === null && node.source === '');

/** Reports every unknown key. */
export function checkKeys(
  fields: ReadonlyMap<string, Field>,
  known: readonly string[],
  { subject, problems }: { readonly subject: string; readonly problems: ProblemList },
): void {
  for (const [name, { key }] of fields) {
    if (known.includes(name)) continue;
    const hint = name === '<<' ? 'merge keys are not supported; write the keys out' : didYouMean(name, known);
    problems.add(key, `${subject} has an unknown key '${excerpt(name)}'`, hint ?? `known keys: ${known.join(', ')}`);
  }
}
