import { parseSync, visitorKeys } from 'oxc-parser';

/**
 * @typedef {{ type: string, start: number, end: number, [key: string]: unknown }} SyntaxNode
 * @typedef {{ node: SyntaxNode, parent: SyntaxNode | undefined }} Visit
 */

/**
 * Every node of a TypeScript or JavaScript file, parents first. TypeScript 7 has no API for this; oxc's parser, which
 * knip brings along, has.
 *
 * @param {string} path only its ending counts
 * @param {string} text
 * @returns {Generator<Visit>}
 */
export function* syntaxNodes(path, text) {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new SyntaxError(`${path}: ${errors[0]?.message}`);
  yield* descend(/** @type {SyntaxNode} */ (/** @type {unknown} */ (program)), undefined);
}

/**
 * @param {SyntaxNode} node
 * @param {SyntaxNode | undefined} parent
 * @returns {Generator<Visit>}
 */
function* descend(node, parent) {
  yield { node, parent };
  for (const key of visitorKeys[node.type] ?? []) {
    for (const child of [node[key]].flat()) {
      if (child) yield* descend(/** @type {SyntaxNode} */ (child), node);
    }
  }
}

/**
 * The text of a string or of a template without holes; holes are left out.
 *
 * @param {unknown} value a node, or nothing
 * @returns {string | undefined} `undefined` for any other expression
 */
export function literalText(value) {
  const node = /** @type {SyntaxNode | null | undefined} */ (value);
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node?.type !== 'TemplateLiteral') return undefined;
  const quasis = /** @type {{ value: { cooked: string } }[]} */ (node.quasis);
  return quasis.map((quasi) => quasi.value.cooked).join('');
}
