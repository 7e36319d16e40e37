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
    // Many tests use real processes and terminals, which a machine that others use can hold up for seconds. A second try is
    // named in the output, with what went wrong the first time; DEVS_RETRIES=0 allows none.
    retry: Number(process.env.DEVS_RETRIES ?? 1),
    // What passing tests print would hide what matters, and the seeds count the word FAIL in the output.
    silent: 'passed-only',
    coverage: {
      provider: 'v8',
      reporter: ['text'],
      exclude: ['**/__tests__/**', '**/dist/**', '**/testing/**', 'scripts/**'],
    },
  },
});
