// The test script of the root and of every package: builds, then runs vitest over the folder it was started in.
//
//   node ../../scripts/run-tests.mjs [--testPathPattern=RE] [--grep NAME] [--coverage] [any option of vitest]
import { join, posix, relative } from 'node:path';
import { parseCLI, startVitest } from 'vitest/node';
import { build } from './lib/build.mjs';
import { repoRoot } from './lib/paths.mjs';
import { say } from './lib/say.mjs';
import { thresholdsFor } from './lib/test-run/coverage-thresholds.mjs';
import { HouseReporter } from './lib/test-run/house-reporter.mjs';
import { listTestFiles, testProjects } from './lib/test-run/test-projects.mjs';
import { translateTestArgs } from './lib/test-run/translate-test-args.mjs';

process.exitCode = await main();

async function main() {
  const request = translateTestArgs(process.argv.slice(2));
  if ('usageError' in request) return complain(request.usageError, 2);

  const here = process.cwd();
  const { filter, options } = parseCLI(['vitest', ...request.vitestArgs]);
  const tests = listTestFiles(here)
    .filter((path) => request.pathPattern?.test(path) ?? true)
    .filter((path) => filter.length === 0 || filter.some((part) => path.includes(part)));
  if (tests.length === 0) {
    return complain(`no test file here matches ${request.pathPattern ?? (filter.join(', ') || '*.test.ts')}`, 1);
  }

  // Tests of one package import the dist/ of another.
  if ((await build(here)) !== 0) return printTotal({ passed: 0, failed: 1, skipped: 0 });
  return runVitest({ here, tests, options, coverage: request.coverage });
}

/** @param {{ here: string, tests: string[], options: ReturnType<typeof parseCLI>['options'], coverage: boolean }} request */
async function runVitest({ here, tests, options, coverage }) {
  const folder = relative(repoRoot, here).replaceAll('\\', '/');
  const project = testProjects().find((candidate) => candidate.folder === folder)?.name;
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
      root: repoRoot,
      config: join(repoRoot, 'scripts', 'vitest.config.mjs'),
      ...(project === undefined ? {} : { project }),
      ...(coverage ? { coverage: coverageOptions({ folder, tests, options }) } : {}),
    },
  );
  if (options.watch) return 0;

  const { passed, failed } = reporter.counts;
  if (options.testNamePattern && passed + failed === 0) complain(`no test title matches ${options.testNamePattern}`, 1);
  const exitCode = printTotal(reporter.counts);
  return Number(process.exitCode ?? 0) || exitCode;
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

/** @param {{ passed: number, failed: number, skipped: number }} counts */
function printTotal({ passed, failed, skipped }) {
  process.stdout.write(`\n${passed} passed, ${failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}\n`);
  return failed === 0 ? 0 : 1;
}

/**
 * @param {string} message
 * @param {number} exitCode
 */
function complain(message, exitCode) {
  say(message);
  process.exitCode = exitCode;
  return exitCode;
}
