import { startVitest } from 'vitest/node';
import { repoRoot } from '../paths.mjs';
import { HouseReporter } from './house-reporter.mjs';
import { printTotal } from './print-total.mjs';

/**
 * @param {string[]} wanted parts of file names; all without any
 * @returns {Promise<number>} an exit code
 */
export async function runAgentTests(wanted) {
  const reporter = new HouseReporter();
  await startVitest('test', wanted, {
    watch: false,
    config: false,
    root: repoRoot,
    include: ['packages/*/src/**/__tests__/**/*.agent-test.ts', 'scripts/__tests__/*.agent-test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    reporters: [reporter],
    testTimeout: 180_000,
    maxConcurrency: 1,
    maxWorkers: 2, // they wait more than they work
    pool: 'threads',
  });
  return printTotal(reporter.counts) || (reporter.counts.passed > 0 ? 0 : 1);
}
