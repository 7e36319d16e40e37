// `pnpm test:agents`: the tests with real agent programs, against a scripted model on loopback. Not part of `npm test`:
// the programs are large, and come from a package registry.
//
//   node scripts/test-agents.mjs [part of a file name…]
import { startVitest } from 'vitest/node';
import { build } from './lib/build.mjs';
import { AGENT_PROGRAMS, installAgent } from './lib/install/agent-programs.mjs';
import { repoRoot } from './lib/paths.mjs';
import { say } from './lib/say.mjs';
import { HouseReporter } from './lib/test-run/house-reporter.mjs';

process.exitCode = await main();

async function main() {
  const wanted = process.argv.slice(2).filter((arg) => arg !== '--');
  const missing = [];
  for (const program of AGENT_PROGRAMS) {
    const file = await installAgent(program);
    if (file === undefined) missing.push(`${program.name} ${program.version}`);
    else process.env[program.variable] = file;
  }
  if (missing.length > 0) {
    say(`not tested: ${missing.join(', ')} is not installed and could not be.`);
    return 0;
  }
  const exitCode = await build();
  return exitCode === 0 ? runTests(wanted) : exitCode;
}

/** @param {string[]} wanted */
async function runTests(wanted) {
  const reporter = new HouseReporter();
  await startVitest('test', wanted, {
    watch: false,
    config: false,
    root: repoRoot,
    include: ['packages/*/src/**/__tests__/**/*.agent-test.ts', 'scripts/__tests__/*.agent-test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    reporters: [reporter],
    testTimeout: 180_000,
    retry: Number(process.env.DEVS_RETRIES ?? 1), // named in the output, as in every other test run
    maxConcurrency: 1,
    maxWorkers: 2, // they wait more than they work
    pool: 'threads',
  });
  const { passed, failed, skipped } = reporter.counts;
  process.stdout.write(`\n${passed} passed, ${failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}\n`);
  return failed === 0 && passed > 0 ? 0 : 1;
}
