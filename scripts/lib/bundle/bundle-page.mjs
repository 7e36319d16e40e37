import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { repoRoot } from '../paths.mjs';

const dashboard = join(repoRoot, 'packages', 'dashboard');
const folder = join(dashboard, 'dist', 'page');

/** What the page is made of; a change of any makes it old. */
const SOURCES = ['index.html', 'src', 'public'].map((name) => join(dashboard, name));
const PACKAGES = ['core', 'api'];

/**
 * The page as the supervisor serves it: a few files, without a network. Without it everything else works.
 *
 * @returns {Promise<string | undefined>} why it could not be made, for people
 */
export async function bundlePage() {
  if (!existsSync(join(dashboard, 'index.html')) || isFresh()) return undefined;
  const draft = `${folder}.${process.pid}`;
  const old = `${draft}.old`;
  try {
    const vite = await import('vite');
    await vite.build({
      configFile: false,
      logLevel: 'error',
      root: dashboard,
      build: {
        outDir: draft,
        emptyOutDir: true,
        target: 'es2023',
        modulePreload: { polyfill: false },
        assetsInlineLimit: 0, // fonts and pictures are files: the policy of the page allows no other
        chunkSizeWarningLimit: 1_000,
        license: { fileName: 'licenses.md' },
      },
    });
    if (existsSync(folder)) renameSync(folder, old);
    renameSync(draft, folder);
    return undefined;
  } catch (error) {
    return `the page was not built, and \`devs ui\` will not work: ${error instanceof Error ? error.message : error}`;
  } finally {
    for (const left of [draft, old]) rmSync(left, { recursive: true, force: true });
  }
}

function isFresh() {
  const made = modified(join(folder, 'index.html'));
  if (made === 0) return false;
  const built = PACKAGES.map((name) => join(repoRoot, 'packages', name, 'dist', '.tsbuildinfo'));
  return [...SOURCES.flatMap(filesIn), ...built].every((file) => modified(file) < made);
}

/**
 * @param {string} path
 * @returns {string[]}
 */
function filesIn(path) {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [path];
  return readdirSync(path, { withFileTypes: true })
    .filter(({ name }) => name !== '__tests__')
    .flatMap(({ name }) => filesIn(join(path, name)));
}

/** @param {string} file */
const modified = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
