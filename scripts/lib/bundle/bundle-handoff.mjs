import { join } from 'node:path';
import { repoRoot } from '../paths.mjs';
import { builtinLater } from './builtin-later.mjs';
import { makeBundle } from './make-bundle.mjs';
import { requiredThrough } from './required-through.mjs';

const dist = join(repoRoot, 'packages', 'cli', 'dist');

/** `devs handoff`, in one file but for what few conversations need: to load the other commands takes as long as the handoff. */
export const bundleHandoff = () =>
  makeBundle({
    name: 'the handoff',
    folder: join(dist, 'handoff-bundle'),
    kind: 'cjs',
    entries: { main: join(dist, 'handoff', 'main.js') },
    packages: ['core', 'drivers', 'store', 'worktree', 'cli'],
    plugins: [
      requiredThrough('libsql', '@devs/store'),
      builtinLater('node:child_process', ['spawn', 'execFile']),
      builtinLater('node:crypto', ['createHash', 'hash', 'randomBytes', 'randomUUID']),
    ],
    options: {
      external: ['@devs/store'],
      treeshake: { moduleSideEffects: (id) => !id.startsWith(join(repoRoot, 'packages')) },
    },
  });
