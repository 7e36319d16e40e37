import { existsSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { repoRoot } from './paths.mjs';
import { say } from './say.mjs';

const cli = join(repoRoot, 'packages', 'cli');
const entry = join(cli, 'dist', 'hook', 'main.js');
const bundle = join(cli, 'dist', 'hook-bundle');

/** What is in it: a build of any of these makes it old. */
const PACKAGES = ['core', 'agents', 'store', 'cli'];

/**
 * `devs hook` in a few files instead of a hundred: an agent waits for it, and loading modules one by one takes three
 * times as long as all the rest. Without it the hook works all the same, from `dist/hook/`.
 */
export async function bundleHook() {
  if (!existsSync(entry) || isFresh()) return;
  const draft = `${bundle}.${process.pid}`;
  try {
    const { build } = await import('vite');
    await build({
      configFile: false,
      logLevel: 'error',
      root: cli,
      ssr: { target: 'node', noExternal: true },
      build: {
        ssr: entry,
        outDir: draft,
        target: 'node20',
        minify: false,
        // Our modules only define things, so that what nobody uses can be left out.
        rollupOptions: {
          external: ['@devs/store', 'libsql'],
          treeshake: { moduleSideEffects: false },
          output: { entryFileNames: 'main.mjs' },
        },
      },
    });
    rmSync(bundle, { recursive: true, force: true });
    renameSync(draft, bundle);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    say(`the hook was not bundled and will be slower: ${error instanceof Error ? error.message : error}`);
  }
}

function isFresh() {
  const made = statSync(join(bundle, 'main.mjs'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return PACKAGES.every((name) => {
    const built = join(repoRoot, 'packages', name, 'dist', '.tsbuildinfo');
    return (statSync(built, { throwIfNoEntry: false })?.mtimeMs ?? 0) < made;
  });
}
