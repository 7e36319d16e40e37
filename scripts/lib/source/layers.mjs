import { posix } from 'node:path';
import { listImports } from './imports.mjs';
import { listImpurities } from './impurities.mjs';

/**
 * The rooms, lowest first. A room imports rooms of lower rows only, never one beside it.
 * The dashboard stands apart: it speaks the API, folds the log with core's own folds, and knows core's types.
 */
const ROWS = [
  ['core'],
  ['store', 'drivers', 'terminals', 'worktree', 'scripted-model', 'api'],
  ['builtin-agent', 'mcp', 'model', 'supervisor', 'fleet'],
  ['server'],
  ['cli'],
];
const DASHBOARD = 'dashboard';

/** They decide and describe, and do nothing else: the page loads them too. */
const PURE_ROOMS = ['core', 'api'];

/** What pure rooms may use besides themselves: libraries that only compute. */
const PURE_PACKAGES = ['yaml', 'zod'];

/**
 * What is wrong with the imports of one source file, as sentences; nothing when all is well. Pure.
 *
 * @param {string} path from the root of the checkout, with forward slashes
 * @param {string} text
 * @returns {string[]}
 */
export function checkLayers(path, text) {
  const file = describeFile(path);
  const problems = listImports(path, text).flatMap((found) => [
    ...checkImport(file, found),
    ...(isPure(file) ? checkPureImport(file, found) : []),
  ]);
  const impurities = isPure(file) ? listImpurities(path, text) : [];
  return [
    ...problems,
    ...impurities.map((name) => `${file.room} decides only and must be given \`${name}\` as a port`),
  ].map((problem) => `${path}: ${problem}`);
}

/** @param {File} file */
const isPure = ({ room, mayUseAnything }) => room !== undefined && PURE_ROOMS.includes(room) && !mayUseAnything;

/** @typedef {{ path: string, home: string, room: string | undefined, isTest: boolean, mayUseAnything: boolean }} File */

/**
 * @param {string} path
 * @returns {File}
 */
function describeFile(path) {
  const room = /^packages\/([^/]+)\//.exec(path)?.[1];
  const isTest = path.includes('/__tests__/');
  return {
    path,
    home: room === undefined ? (path.split('/')[0] ?? '') : `packages/${room}`,
    room,
    isTest: isTest || room === undefined, // bench and examples may do what tests may
    mayUseAnything: isTest || path.startsWith('packages/core/src/testing/'),
  };
}

/**
 * @param {File} file
 * @param {import('./imports.mjs').Import} found
 * @returns {string[]}
 */
function checkImport(file, { specifier, typeOnly }) {
  if (specifier === undefined) return [];
  if (specifier.startsWith('.')) return checkRelative(file, specifier);
  const [, target, entry] = /^@devs\/([^/]+)(?:\/(.*))?$/.exec(specifier) ?? [];
  if (target === undefined) return [];
  return [
    ...(target === 'core' && entry === 'testing' && !file.isTest ? [`${specifier} is for tests only`] : []),
    ...(file.room === undefined || file.room === target ? [] : checkArrow(file, target, { entry, typeOnly })),
  ];
}

/**
 * @param {File} file
 * @param {string} specifier
 */
function checkRelative(file, specifier) {
  const target = posix.join(posix.dirname(file.path), specifier);
  if (!target.startsWith(`${file.home}/`)) return [`${specifier} leaves the package; import it by name`];
  const intoTesting = target.startsWith('packages/core/src/testing/');
  return intoTesting && !file.mayUseAnything ? [`${specifier} is for tests only`] : [];
}

/**
 * @param {File} file
 * @param {string} target
 * @param {{ entry: string | undefined, typeOnly: boolean }} how
 */
function checkArrow({ room = '', isTest }, target, { entry, typeOnly }) {
  if (room === DASHBOARD) {
    if (isTest || target === 'api' || (target === 'core' && (typeOnly || entry === 'folds'))) return [];
    return [`the dashboard imports the API, core's folds and core's types only, not @devs/${target}`];
  }
  const [from, to] = [rowOf(room), rowOf(target)];
  if (from === -1) return [`the room "${room}" is not in the rows of scripts/lib/source/layers.mjs`];
  return to !== -1 && to < from ? [] : [`${room} must not import @devs/${target}: arrows point from cli down to core`];
}

/** @param {string} room */
const rowOf = (room) => ROWS.findIndex((row) => row.includes(room));

/**
 * @param {File} file
 * @param {import('./imports.mjs').Import} found
 */
function checkPureImport({ room }, { specifier }) {
  if (specifier === undefined) return [`${room} imports nothing that is named at run time`];
  if (specifier.startsWith('.') || specifier.startsWith('@devs/')) return [];
  const isKnown = PURE_PACKAGES.some((name) => specifier === name || specifier.startsWith(`${name}/`));
  return isKnown ? [] : [`${room} imports no I/O and only known pure packages, not ${specifier}`];
}
