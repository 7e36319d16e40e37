import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { repoRoot } from './lib/paths.mjs';
import { LONG_TAG } from './lib/test-run/long-tests.mjs';
import { SlowestFirst } from './lib/test-run/slowest-first.mjs';
import { TEST_FILES } from './lib/test-run/test-files.mjs';

// `run-tests.mjs` starts vitest with this file; it is beside its packages because the root has none.
export default defineConfig({
  root: repoRoot,
  test: {
    include: TEST_FILES,
    // Tests share nothing but modules without state, so the files of a worker share its modules: several times faster.
    isolate: false,
    // Processes, not threads: starting a program copies the page tables of its parent, which takes 1 ms in a small
    // process and 30 ms in one with the heaps of all workers.
    pool: 'forks',
    maxWorkers: Math.max(5, availableParallelism()), // many tests wait for other processes more than they work
    sequence: { sequencer: SlowestFirst },
    // A busy machine is no reason to fail: a test waits for a state, and what takes this long hangs.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 150_000, interval: 10 } },
    // The built files of other packages: Node loads them as they are, in two thirds of the time that vitest takes to
    // transform each and hand it to every worker.
    server: { deps: { external: [/\/packages\/[^/]+\/dist\//] } },
    retry: 0, // a test that fails now and then is wrong, or what it tests is
    // What passing tests print would hide what matters, and the seeds count the word FAIL in the output.
    silent: 'passed-only',
    tags: [{ name: LONG_TAG, description: 'left out of `npm test`, as the files of long-tests.mjs are' }],
    coverage: {
      provider: 'v8',
      reporter: ['text'],
      exclude: ['**/__tests__/**', '**/dist/**', '**/testing/**', 'scripts/**'],
    },
  },
});
