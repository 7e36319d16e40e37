import { startVitest } from 'vitest/node';
import { repoRoot } from '../paths.mjs';
import { say } from '../say.mjs';
import { HouseReporter } from './house-reporter.mjs';
import { printTotal } from './print-total.mjs';

/**
 * They run when they are named, for the time that they take: the start of opencode has most of two cores, for up to a minute, and
 * each run of the others has its own processes to start, for every agent.
 */
const BY_NAME = ['opencode-channel', 'others-first-run', 'gemini-first-run', 'attached-agents', 'killed-agents'];

/**
 * @param {string[]} wanted parts of file names; all but those above without any
 * @returns {Promise<number>} an exit code
 */
export async function runAgentTests(wanted) {
  const leftOut = wanted.length > 0 ? [] : BY_NAME;
  if (leftOut.length > 0) say(`left out: ${leftOut.join(', ')}; \`pnpm test:agents ${leftOut.join(' ')}\` runs them.`);
  const reporter = new HouseReporter();
  await startVitest('test', wanted, {
    watch: false,
    config: false,
    root: repoRoot,
    include: ['packages/*/src/**/__tests__/**/*.agent-test.ts', 'scripts/__tests__/*.agent-test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**', ...leftOut.map((name) => `**/${name}.agent-test.ts`)],
    reporters: [reporter],
    testTimeout: 180_000,
    maxConcurrency: 1,
    maxWorkers: 2, // they wait more than they work
    pool: 'threads',
  });
  return printTotal(reporter.counts) || (reporter.counts.passed > 0 ? 0 : 1);
}
