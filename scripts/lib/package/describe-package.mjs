import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repoRoot } from '../paths.mjs';

/** @typedef {{ name: string, version: string, files?: string[], exports?: Record<string, string>, dependencies?: Record<string, string>, [key: string]: unknown }} Manifest */
/** @typedef {{ folder: string, manifest: Manifest }} Room `folder` is relative to the root of the checkout */

/** What a bundled package keeps of its package.json: what Node and npm read. */
const KEPT_KEYS = ['name', 'version', 'description', 'license', 'type', 'engines'];

/** Entries that only tests import; their files stay at home. */
const TEST_ENTRIES = ['./testing', './requirements'];

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
 * The package.json of the one package that users install: it carries our own packages inside, and names everybody
 * else's, in the one version that all of ours ask for.
 *
 * @param {Room[]} rooms
 * @returns {Manifest}
 */
export function describePackage(rooms) {
  const [cli, ...inside] = rooms;
  if (cli === undefined) throw new Error('There is no package to describe');
  /** @type {Record<string, string>} */
  const others = {};
  for (const { manifest } of rooms) {
    for (const [name, version] of Object.entries(manifest.dependencies ?? {}).filter(([name]) => !isOurs(name))) {
      if (others[name] !== undefined && others[name] !== version) {
        throw new Error(`${name} is wanted as ${others[name]} and as ${version}: one package can have one of them`);
      }
      others[name] = version;
    }
  }
  const ours = Object.fromEntries(inside.map(({ manifest }) => [manifest.name, manifest.version]));
  return {
    name: 'devs',
    version: cli.manifest.version,
    description: 'Supervises AI coding agents over hours and days, so that they stay coherent',
    keywords: ['ai', 'agents', 'claude-code', 'codex', 'mcp', 'workflow', 'supervisor'],
    license: 'MIT',
    type: 'module',
    engines: cli.manifest.engines,
    bin: { devs: 'packages/cli/bin/devs.mjs' },
    dependencies: sorted({ ...ours, ...others }),
    bundleDependencies: Object.keys(ours).sort(),
  };
}

/**
 * @param {Manifest} manifest
 * @returns {Manifest}
 */
export function describeInside(manifest) {
  const kept = Object.fromEntries(KEPT_KEYS.flatMap((key) => (key in manifest ? [[key, manifest[key]]] : [])));
  const entries = Object.entries(manifest.exports ?? {}).filter(([entry]) => !TEST_ENTRIES.includes(entry));
  const dependencies = Object.entries(manifest.dependencies ?? {}).map(([name, version]) =>
    // One version for all: they are packed together.
    [name, isOurs(name) ? manifest.version : version],
  );
  return /** @type {Manifest} */ ({
    ...kept,
    ...(entries.length > 0 && { exports: Object.fromEntries(entries) }),
    dependencies: Object.fromEntries(dependencies),
  });
}

const isOurs = (/** @type {string} */ name) => name.startsWith('@devs/');

const sorted = (/** @type {Record<string, string>} */ record) =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));

/**
 * @param {string} folder
 * @returns {Manifest}
 */
function readManifest(folder) {
  return JSON.parse(readFileSync(join(repoRoot, folder, 'package.json'), 'utf8'));
}
