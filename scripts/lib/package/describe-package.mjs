import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { repoRoot } from '../paths.mjs';

/** @typedef {{ name: string, version: string, files?: string[], exports?: Record<string, string>, dependencies?: Record<string, string>, [key: string]: unknown }} Manifest */
/** @typedef {{ folder: string, manifest: Manifest }} Room `folder` is relative to the root of the checkout */

/** Entries that only tests import; their files stay at home. */
const TEST_ENTRIES = ['./testing', './requirements'];

/** What other programs may import of the installed package, and where it is in the package. */
const LIBRARY = {
  './core': 'packages/core/dist/index',
  './protocol': 'packages/core/dist/protocol/index',
  './orchestrator': 'packages/core/dist/orchestrator/index',
  './workflow': 'packages/core/dist/workflow/index',
};

/** Whole in the bundle of the command: what it would bring along is compiled where there is no prebuilt one. */
const BUNDLED = ['bullmq'];

/**
 * Every package of ours that the command needs, itself first.
 *
 * @param {(folder: string) => Manifest} read
 * @returns {Room[]}
 */
export function listRooms(read = readManifest) {
  /** @type {Map<string, Room>} */
  const found = new Map();
  const visit = (/** @type {string} */ folder) => {
    if (found.has(folder)) return;
    const manifest = read(folder);
    found.set(folder, { folder, manifest });
    for (const name of Object.keys(manifest.dependencies ?? {}).filter(isOurs)) visit(`packages/${name.slice(6)}`);
  };
  visit('packages/cli');
  return [...found.values()];
}

/**
 * The package.json of the one package that users install. It depends on everybody else's packages directly, each in the
 * one version that all of ours ask for. Our own are plain folders in it: npm leaves the dependencies of bundled packages
 * out of a global install.
 *
 * @param {Room[]} rooms
 * @returns {Manifest}
 */
export function describePackage(rooms) {
  const [cli] = rooms;
  if (cli === undefined) throw new Error('There is no package to describe');
  return {
    name: 'devs',
    version: cli.manifest.version,
    description: 'Supervises AI coding agents over hours and days, so that they stay coherent',
    keywords: ['ai', 'agents', 'claude-code', 'codex', 'mcp', 'workflow', 'supervisor'],
    license: 'MIT',
    type: 'module',
    engines: cli.manifest.engines,
    bin: { devs: 'packages/cli/bin/devs.mjs' },
    exports: { ...libraryEntries(), './package.json': './package.json' },
    dependencies: dependenciesOfAll(rooms),
    preferUnplugged: true, // yarn: programs in here are started by their path
  };
}

const libraryEntries = () =>
  Object.fromEntries(
    Object.entries(LIBRARY).map(([entry, file]) => [entry, { types: `./${file}.d.ts`, default: `./${file}.js` }]),
  );

/**
 * @param {Room[]} rooms
 * @returns {Record<string, string>}
 */
function dependenciesOfAll(rooms) {
  /** @type {Record<string, string>} */
  const found = {};
  for (const { manifest } of rooms) {
    for (const [name, version] of Object.entries(manifest.dependencies ?? {}).filter(isForeign)) {
      if (found[name] !== undefined && found[name] !== version) {
        throw new Error(`${name} is wanted as ${found[name]} and as ${version}: one package can have one of them`);
      }
      found[name] = version;
    }
  }
  return sorted(found);
}

/**
 * What a folder of ours keeps of its package.json: its name and version for error messages, and how Node reads its files.
 *
 * @param {Manifest} manifest
 */
export const describeInside = ({ name, version, type }) => ({ name, version, private: true, type });

/**
 * The file behind each name that our packages import each other by, from the top of the package: `@devs/core/hooks` →
 * `packages/core/dist/hooks/index.js`.
 *
 * @param {Room[]} rooms
 * @returns {Map<string, string>}
 */
export function filesByImport(rooms) {
  const entries = rooms.flatMap(({ folder, manifest }) =>
    Object.entries(manifest.exports ?? {})
      .filter(([entry]) => !TEST_ENTRIES.includes(entry) && !entry.includes('*'))
      .map(([entry, file]) => /** @type {const} */ ([posix.join(manifest.name, entry), posix.join(folder, file)])),
  );
  return new Map(entries);
}

const isOurs = (/** @type {string} */ name) => name.startsWith('@devs/');

const isForeign = (/** @type {[string, string]} */ [name]) => !isOurs(name) && !BUNDLED.includes(name);

const sorted = (/** @type {Record<string, string>} */ record) =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));

/**
 * @param {string} folder
 * @returns {Manifest}
 */
function readManifest(folder) {
  return JSON.parse(readFileSync(join(repoRoot, folder, 'package.json'), 'utf8'));
}
