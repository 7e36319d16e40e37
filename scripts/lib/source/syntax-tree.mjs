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
 * @returns {Visit[]}
 */
export function syntaxNodes(path, text) {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new SyntaxError(`${path}: ${errors[0]?.message}`);
  /** @type {Visit[]} */
  const visits = [];
  descend(/** @type {SyntaxNode} */ (/** @type {unknown} */ (program)), undefined, visits);
  return visits;
}

/**
 * The comments of a file, each as one text. Consecutive line comments are one comment.
 *
 * @param {string} path
 * @param {string} text
 * @returns {string[]}
 */
export function comments(path, text) {
  const found = parseSync(path, text).comments;
  /** @type {{ end: number, text: string }[]} */
  const joined = [];
  for (const { start, end, value } of found) {
    const last = joined.at(-1);
    const content = value.replace(/^\s*\*/gm, '');
    if (last !== undefined && /^\s*$/.test(text.slice(last.end, start))) {
      last.text += ` ${content}`;
      last.end = end;
    } else joined.push({ end, text: content });
  }
  return joined.map((comment) => comment.text);
}

/**
 * Into one list: a generator in a generator hands every node up through all of its parents.
 *
 * @param {SyntaxNode} node
 * @param {SyntaxNode | undefined} parent
 * @param {Visit[]} visits
 */
function descend(node, parent, visits) {
  visits.push({ node, parent });
  for (const key of visitorKeys[node.type] ?? []) {
    const child = /** @type {SyntaxNode | SyntaxNode[] | null | undefined} */ (node[key]);
    if (Array.isArray(child)) for (const one of child) one && descend(one, node, visits);
    else if (child) descend(child, node, visits);
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
