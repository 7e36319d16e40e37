import { type Alias, isAlias, isMap, isSeq, type ParsedNode } from 'yaml';
import { excerpt } from '../../yaml/excerpt.js';
import type { ProblemList } from '../../yaml/problem-list.js';

/** A few nested aliases can expand to more text than there are atoms; a real template repeats a paragraph or two. */
const MOST_ALIASED_CHARACTERS = 1_000_000;

export type Content = Exclude<ParsedNode, Alias.Parsed>;
export type ResolveAlias = (node: ParsedNode) => Content | undefined;

/** Resolves an alias; `undefined` if it is missing or too large, which is reported. */
export function createAliasResolver(root: ParsedNode, problems: ProblemList): ResolveAlias {
  let targets: ReadonlyMap<ParsedNode, Content | undefined> | undefined;
  let aliased = 0;
  return (node) => {
    if (!isAlias(node)) return node;
    if (aliased > MOST_ALIASED_CHARACTERS) return undefined;
    targets ??= findTargets(root);
    const target = targets.get(node);
    if (target === undefined) {
      problems.add(node.range[0], `Nothing before this alias is marked as '&${excerpt(node.source)}'`);
      return undefined;
    }
    aliased += target.range[1] - target.range[0] + 1;
    if (aliased <= MOST_ALIASED_CHARACTERS) return target;
    problems.add(
      node.range[0],
      `Aliases stand for more than ${MOST_ALIASED_CHARACTERS} characters`,
      'use fewer of them',
    );
    return undefined;
  };
}

/** An alias means the last anchor of its name before it. */
function findTargets(root: ParsedNode): ReadonlyMap<ParsedNode, Content | undefined> {
  const anchors = new Map<string, Content>();
  const targets = new Map<ParsedNode, Content | undefined>();
  const visit = (node: ParsedNode | null): void => {
    if (node === null) return;
    if (isAlias(node)) {
      targets.set(node, anchors.get(node.source));
      return;
    }
    if (node.anchor !== undefined) anchors.set(node.anchor, node);
    if (isSeq(node)) for (const item of node.items) visit(item);
    if (isMap(node)) {
      for (const { key, value } of node.items) {
        visit(key);
        visit(value);
      }
    }
  };
  visit(root);
  return targets;
}
