import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { repoRoot } from '../paths.mjs';

/**
 * @typedef {object} Bundle
 * @property {string} name for people: `the hook`
 * @property {string} folder
 * @property {Record<string, string>} entries by the name that they get, without `.mjs`
 * @property {string} [root] the package it is made from; the CLI without it
 * @property {string[]} packages what is in it: a build of any of these makes it old
 * @property {import('vite').Rolldown.RolldownOptions} options
 * @property {import('vite').Plugin[]} [plugins]
 */

/** A process that was started from an older one may still load parts of that, days later. */
const KEPT_MS = 7 * 24 * 3600 * 1000;

/**
 * A program in a few files instead of hundreds, which loads several times faster. Without it everything works all the
 * same, from `dist/`.
 *
 * @param {Bundle} bundle
 * @returns {Promise<string | undefined>} why it could not be made, for people
 */
export async function makeBundle(bundle) {
  if (!Object.values(bundle.entries).every((entry) => existsSync(entry)) || isFresh(bundle)) return undefined;
  const draft = `${bundle.folder}.${process.pid}`;
  try {
    await build(bundle, draft);
    replace(bundle, draft);
    return undefined;
  } catch (error) {
    return `${bundle.name} was not bundled and will be slower: ${error instanceof Error ? error.message : error}`;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/**
 * @param {Bundle} bundle
 * @param {string} draft
 */
async function build({ entries, root = join(repoRoot, 'packages', 'cli'), options, plugins = [] }, draft) {
  const vite = await import('vite');
  await vite.build({
    configFile: false,
    logLevel: 'error',
    root,
    ssr: { target: 'node', noExternal: true },
    plugins,
    build: {
      ssr: true,
      outDir: draft,
      target: 'node20',
      minify: true, // half as much to parse
      rollupOptions: {
        ...options,
        input: entries,
        output: {
          entryFileNames: '[name].mjs',
          chunkFileNames: '[name]-[hash].mjs',
          // Every program needs the errors, and few of them the rest of core.
          codeSplitting: { groups: [{ name: 'errors', test: /core.dist.errors/ }] },
        },
      },
    },
  });
}

/**
 * The parts first, which have names of their own in every build, and then the entries that load them.
 *
 * @param {Bundle} bundle
 * @param {string} draft
 */
function replace({ folder, entries }, draft) {
  mkdirSync(folder, { recursive: true });
  const isEntry = (/** @type {string} */ file) => Object.hasOwn(entries, file.replace(/\.mjs$/, ''));
  const made = readdirSync(draft).sort((a, b) => Number(isEntry(a)) - Number(isEntry(b)));
  const now = new Date();
  for (const file of made) {
    utimesSync(join(draft, file), now, now);
    renameSync(join(draft, file), join(folder, file));
  }
  for (const file of readdirSync(folder).filter((file) => !made.includes(file))) {
    if (now.getTime() - modified(join(folder, file)) > KEPT_MS) rmSync(join(folder, file));
  }
}

/** @param {Bundle} bundle */
function isFresh({ folder, entries, packages }) {
  const made = Math.min(...Object.keys(entries).map((name) => modified(join(folder, `${name}.mjs`))));
  if (made === 0) return false;
  const sources = packages.map((name) => join(repoRoot, 'packages', name, 'dist', '.tsbuildinfo'));
  return [...sources, ...Object.values(entries)].every((file) => modified(file) < made);
}

/** @param {string} file */
const modified = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
