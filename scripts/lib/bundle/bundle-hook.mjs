import { join } from 'node:path';
import { repoRoot } from '../paths.mjs';
import { makeBundle } from './make-bundle.mjs';

const dist = join(repoRoot, 'packages', 'cli', 'dist');

/** `devs hook`: an agent waits for it, and loading modules one by one takes three times as long as all the rest. */
export const bundleHook = () =>
  makeBundle({
    name: 'the hook',
    folder: join(dist, 'hook-bundle'),
    kind: 'cjs',
    entries: { main: join(dist, 'hook', 'main.js') },
    packages: ['core', 'drivers', 'store', 'worktree', 'mcp', 'cli'],
    options: {
      external: ['@devs/store', 'libsql'],
      treeshake: { moduleSideEffects: false }, // our modules only define things, so that unused ones can be left out
    },
  });
