import { syntaxNodes } from './syntax-tree.mjs';

/** @typedef {{ name: string, value: number }} Measured */
/** @typedef {{ what: string, limits: readonly [number, number, number], measured: Measured[] }} SizeTable */

const FUNCTIONS = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'];
const TEST_FILE = /\/__tests__\/|\.test\.ts$/;

/**
 * The sizes that style.md speaks about. Limits: comfortable, look again, write down why. Pure.
 *
 * @param {readonly { path: string, text: string }[]} sources
 * @returns {SizeTable[]}
 */
export function measureSizes(sources) {
  const [tests, code] = [sources.filter(isTest), sources.filter((source) => !isTest(source))];
  return [
    { what: 'source file, lines', limits: [200, 350, 500], measured: code.map(fileLines) },
    { what: 'test file, lines', limits: [400, 800, 1200], measured: tests.map(fileLines) },
    { what: 'function, lines', limits: [25, 45, 70], measured: code.flatMap(functionLines) },
    { what: 'function, positional parameters', limits: [2, 3, 3], measured: code.flatMap(functionParameters) },
    { what: 'class, public methods', limits: [8, 12, 15], measured: code.flatMap(publicMethods) },
    { what: 'folder, files', limits: [12, 18, 18], measured: folderFiles(sources) },
  ];
}

/** @typedef {{ path: string, text: string }} Source */

/** @param {Source} source */
const isTest = ({ path }) => TEST_FILE.test(path);

/** @param {string} text */
const countLines = (text) => text.trimEnd().split('\n').length;

/** @param {Source} source */
const fileLines = ({ path, text }) => ({ name: path, value: countLines(text) });

/** @param {Source} source */
const functionLines = (source) =>
  functionsOf(source).map(({ name, node }) => ({ name, value: countLines(source.text.slice(node.start, node.end)) }));

/** @param {Source} source */
const functionParameters = (source) =>
  functionsOf(source).map(({ name, node }) => ({ name, value: /** @type {unknown[]} */ (node.params).length }));

/** @param {Source} source */
function functionsOf({ path, text }) {
  return syntaxNodes(path, text)
    .filter(({ node }) => FUNCTIONS.includes(node.type))
    .map(({ node, parent }) => ({ node, name: `${path} ${nameOf(node) || nameOf(parent) || '(anonymous)'}` }));
}

/** @param {Source} source */
function publicMethods({ path, text }) {
  return syntaxNodes(path, text).flatMap(({ node, parent }) => {
    if (node.type !== 'ClassBody') return [];
    const members = /** @type {{ type: string, accessibility?: string, key?: { type: string } }[]} */ (node.body);
    const methods = members.filter(
      ({ type, accessibility, key }) =>
        type === 'MethodDefinition' && key?.type !== 'PrivateIdentifier' && (accessibility ?? 'public') === 'public',
    );
    return [{ name: `${path} ${nameOf(parent)}`, value: methods.length }];
  });
}

/** @param {unknown} node a function, or what it is the value of */
function nameOf(node) {
  const { id, key } = /** @type {{ id?: { name?: string }, key?: { name?: string } }} */ (node ?? {});
  return id?.name ?? key?.name ?? '';
}

/** @param {readonly Source[]} sources */
function folderFiles(sources) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { path } of sources) {
    const folder = path.slice(0, path.lastIndexOf('/'));
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts].map(([name, value]) => ({ name, value }));
}
