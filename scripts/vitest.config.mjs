import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { repoRoot } from './lib/paths.mjs';
import { testProjects } from './lib/test-run/test-projects.mjs';

// `run-tests.mjs` starts vitest with this file; it is beside its packages because the root has none.
export default defineConfig({
  root: repoRoot,
  test: {
    projects: testProjects().map(({ name, folder, include }) => ({
      extends: true,
      test: { name, root: join(repoRoot, folder), include },
    })),
    // Tests share nothing but modules without state, so the files of a worker share its modules: several times faster.
    isolate: false,
    pool: 'threads',
    maxWorkers: '100%', // vitest leaves one core to itself, which on two cores is half
    testTimeout: 120_000, // a busy machine is no reason to fail
    // What passing tests print would hide what matters, and the seeds count the word FAIL in the output.
    silent: 'passed-only',
    coverage: {
      provider: 'v8',
      reporter: ['text'],
      exclude: ['**/__tests__/**', '**/dist/**', '**/testing/**', 'scripts/**'],
    },
  },
});
