import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { repoRoot } from '../paths.mjs';

/**
 * @typedef {object} Bundle
 * @property {string} name for people: `the hook`
 * @property {string} folder
 * @property {Record<string, string>} entries by the name that they get, without its ending
 * @property {string} [root] the package it is made from; the CLI without it
 * @property {string[]} packages what is in it: a build of any of these makes it old
 * @property {import('vite').Rolldown.RolldownOptions} options
 * @property {import('vite').Plugin[]} [plugins]
 * @property {'mjs' | 'cjs'} [kind] `cjs` for a program whose compiled code is kept; `mjs` without it
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
async function build(
  { entries, root = join(repoRoot, 'packages', 'cli'), options, plugins = [], kind = 'mjs' },
  draft,
) {
  const vite = await import('vite');
  await vite.build({
    configFile: false,
    logLevel: 'error',
    root,
    ssr: { target: 'node', noExternal: true },
    plugins: kind === 'cjs' ? [...plugins, importedByRequire] : plugins,
    build: {
      ssr: true,
      outDir: draft,
      target: 'node20',
      minify: true, // half as much to parse
      rollupOptions: {
        ...options,
        input: entries,
        output: {
          format: kind === 'cjs' ? 'cjs' : 'es',
          entryFileNames: `[name].${kind}`,
          chunkFileNames: `[name]-[hash].${kind}`,
          // Every program needs the errors, and few of them the rest of core.
          codeSplitting: { groups: [{ name: 'errors', test: /core.dist.errors/ }] },
        },
      },
    },
  });
}

/**
 * What is not in the bundle is loaded by `require.import`: a script with an `import()` of its own makes Node 20 warn the user.
 *
 * @type {import('vite').Plugin}
 */
const importedByRequire = {
  name: 'imported by require',
  renderChunk: (code) => code.replace(/(?<![.\w$])import\((?=(["'`])[\w@./:-]+\1\))/g, 'require.import('),
};

/**
 * The parts first, which have names of their own in every build, and then the entries that load them.
 *
 * @param {Bundle} bundle
 * @param {string} draft
 */
function replace({ folder, entries, kind = 'mjs' }, draft) {
  mkdirSync(folder, { recursive: true });
  const isEntry = (/** @type {string} */ file) => Object.hasOwn(entries, file.slice(0, -`.${kind}`.length));
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
function isFresh({ folder, entries, packages, kind = 'mjs' }) {
  const made = Math.min(...Object.keys(entries).map((name) => modified(join(folder, `${name}.${kind}`))));
  if (made === 0) return false;
  const sources = packages.map((name) => join(repoRoot, 'packages', name, 'dist', '.tsbuildinfo'));
  return [...sources, ...Object.values(entries)].every((file) => modified(file) < made);
}

/** @param {string} file */
const modified = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
