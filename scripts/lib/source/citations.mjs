import { literalText, syntaxNodes } from './syntax-tree.mjs';

const TEST_FUNCTIONS = ['it', 'test', 'describe'];
/** A test that does not run proves nothing. */
const NOT_RUN = ['skip', 'todo'];
/** `[3_MCP-TAS-089]`, `[TAS-035]`, `[P1]`, one id in each pair of brackets. */
const CITATION = /\[((?:\d+_)?[A-Z]+(?:-[A-Z]+)*-?\d+)\]/g;

/**
 * The ids that the titles of a test file cite, also in `it.each(…)('title')` and its tagged form.
 *
 * @param {string} path
 * @param {string} text
 * @returns {string[]}
 */
export function listCitations(path, text) {
  if (text.search(CITATION) === -1) return []; // spares the parser most files
  return testTitles(path, text).flatMap((title) => [...title.matchAll(CITATION)].map((match) => match[1] ?? ''));
}

/**
 * The titles of all tests in a file that run.
 *
 * @param {string} path
 * @param {string} text
 * @returns {string[]}
 */
export function testTitles(path, text) {
  return syntaxNodes(path, text).flatMap(({ node }) => {
    if (node.type !== 'CallExpression') return [];
    const names = calleeNames(node.callee);
    if (!TEST_FUNCTIONS.includes(names[0] ?? '') || names.some((name) => NOT_RUN.includes(name))) return [];
    return [literalText(/** @type {unknown[]} */ (node.arguments)[0]) ?? ''];
  });
}

/**
 * `it.each(rows)` → `['it', 'each']`; an empty list for what is not a chain of names and calls.
 *
 * @param {unknown} callee
 * @returns {string[]}
 */
function calleeNames(callee) {
  const node = /** @type {Record<string, unknown> & { type: string, name?: string }} */ (callee);
  switch (node.type) {
    case 'Identifier':
      return [node.name ?? ''];
    case 'MemberExpression':
      return [...calleeNames(node.object), /** @type {{ name?: string }} */ (node.property).name ?? ''];
    case 'CallExpression':
      return calleeNames(node.callee);
    case 'TaggedTemplateExpression':
      return calleeNames(node.tag);
    default:
      return [];
  }
}
