import { join, posix, relative } from 'node:path';
import { parseCLI, startVitest } from 'vitest/node';
import { build } from '../build.mjs';
import { bundleFixtures } from '../bundle/bundle-fixtures.mjs';
import { repoRoot } from '../paths.mjs';
import { say } from '../say.mjs';
import { thresholdsFor } from './coverage-thresholds.mjs';
import { HouseReporter } from './house-reporter.mjs';
import { LONG_TAG, leftOut, wantsLong } from './long-tests.mjs';
import { printTotal } from './print-total.mjs';
import { listTestFiles } from './test-files.mjs';

/**
 * Builds, then runs the tests of a folder.
 *
 * @param {import('./translate-test-args.mjs').TestRequest} request
 * @param {string} here
 * @returns {Promise<number>} an exit code
 */
export async function runVitest(request, here) {
  const { filter, options } = parseCLI(['vitest', ...request.vitestArgs]);
  const found = listTestFiles(here)
    .filter((path) => request.pathPattern?.test(path) ?? true)
    .filter((path) => filter.length === 0 || filter.some((part) => path.includes(part)));
  const fromRoot = (/** @type {string} */ path) => posix.join(relative(repoRoot, here).replaceAll('\\', '/'), path);
  const isSelection =
    request.pathPattern !== undefined || filter.length > 0 || options.testNamePattern !== undefined || request.coverage;
  const run = { isSelection, env: process.env };
  const long = leftOut(found.map(fromRoot), run);
  const tests = found.filter((path) => !long.includes(fromRoot(path)));
  if (tests.length === 0) {
    return warn(`no test file here matches ${request.pathPattern ?? (filter.join(', ') || '*.test.ts')}`);
  }

  // Tests of one package import the dist/ of another.
  if ((await build(here)) !== 0) return printTotal({ passed: 0, failed: 1, skipped: 0 });
  const problem = await bundleFixtures();
  if (problem !== undefined) say(problem);
  return start({ here, tests, options, coverage: request.coverage, long: wantsLong(run) ? undefined : long.length });
}

/**
 * @param {{ here: string, tests: string[], options: ReturnType<typeof parseCLI>['options'], coverage: boolean, long: number | undefined }} request
 *   `long`: how many long files are left out, in a run that leaves long tests out
 */
async function start({ here, tests, options, coverage, long }) {
  const folder = relative(repoRoot, here).replaceAll('\\', '/');
  const reporter = new HouseReporter();
  // vitest reads `--reporter` from here, and would leave ours out.
  const { reporter: reporters = [], ...vitestOptions } = /** @type {{ reporter?: string | string[] }} */ (options);
  await startVitest(
    'test',
    tests.map((path) => join(here, path)),
    {
      watch: false,
      ...vitestOptions,
      reporters: [reporter, ...[reporters].flat()],
      ...(long === undefined ? {} : { tagsFilter: [`!${LONG_TAG}`] }),
      root: repoRoot,
      config: join(repoRoot, 'scripts', 'vitest.config.mjs'),
      ...(coverage ? { coverage: coverageOptions({ folder, tests, options }) } : {}),
    },
  );
  if (options.watch) return 0;

  const { passed, failed } = reporter.counts;
  const isEmpty = options.testNamePattern !== undefined && passed + failed === 0;
  if (long !== undefined && long + reporter.leftOut > 0)
    say(`left out: ${long} long files, ${reporter.leftOut} long tests; \`DEVS_LONG_TESTS=1 npm test\` runs them too.`);
  if (isEmpty) warn(`no test title matches ${options.testNamePattern}`);
  const exitCode = printTotal(reporter.counts);
  return Number(process.exitCode ?? 0) || (isEmpty ? 1 : exitCode);
}

/** @param {{ folder: string, tests: string[], options: ReturnType<typeof parseCLI>['options'] }} selection */
function coverageOptions({ folder, tests, options }) {
  const testsFromRoot = tests.map((path) => posix.join(folder, path));
  return {
    ...options.coverage,
    enabled: true,
    reportsDirectory: join(repoRoot, folder, 'coverage'),
    // All tests together also answer for the files that none of them loads.
    ...(tests.length === listTestFiles(join(repoRoot, folder)).length
      ? { include: [`${folder || 'packages/*'}/src/**/*.ts`] }
      : {}),
    // Some tests of a file say nothing about what all of them cover.
    thresholds: options.testNamePattern ? {} : thresholdsFor(testsFromRoot),
  };
}

/** @param {string} message */
function warn(message) {
  say(message);
  return 1;
}
