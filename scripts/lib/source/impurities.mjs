import { syntaxNodes } from './syntax-tree.mjs';

/** Names that reach outside of the program, or answer differently each time. */
const IMPURE_NAMES = new Set([
  'process',
  'console',
  'fetch',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'queueMicrotask',
  'performance',
  'crypto',
  'globalThis',
]);
const IMPURE_MEMBERS = new Set(['Date.now', 'Math.random', 'AbortSignal.timeout']);

/**
 * The impure globals that a source file names, in order. A variable that only has the name of one counts too: call it
 * something else. Names of properties and methods do not.
 *
 * @param {string} path
 * @param {string} text
 * @returns {string[]}
 */
export function listImpurities(path, text) {
  return syntaxNodes(path, text).flatMap(({ node, parent }) => {
    if (node.type === 'MemberExpression' && !node.computed) {
      const name = `${nameOf(node.object)}.${nameOf(node.property)}`;
      return IMPURE_MEMBERS.has(name) ? [name] : [];
    }
    if (node.type === 'NewExpression' && nameOf(node.callee) === 'Date' && !hasArguments(node)) return ['new Date()'];
    if (node.type !== 'Identifier' || isPropertyName(node, parent)) return [];
    return IMPURE_NAMES.has(nameOf(node)) ? [nameOf(node)] : [];
  });
}

/** @param {unknown} node */
const nameOf = (node) => /** @type {{ name?: string }} */ (node).name ?? '';

/** @param {import('./syntax-tree.mjs').SyntaxNode} node */
const hasArguments = (node) => /** @type {unknown[]} */ (node.arguments).length > 0;

/**
 * @param {import('./syntax-tree.mjs').SyntaxNode} node
 * @param {import('./syntax-tree.mjs').SyntaxNode | undefined} parent
 */
function isPropertyName(node, parent) {
  if (parent === undefined || parent.computed) return false;
  return parent.property === node || parent.key === node;
}
