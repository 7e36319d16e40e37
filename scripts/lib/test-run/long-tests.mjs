/**
 * Test files that take most of the time of all: whole journeys of real programs, crashes at many moments, several machines.
 * `npm test` leaves them out and says so; `DEVS_LONG_TESTS=1 npm test` runs them too, as `.ci/run` and `.ci/soak` do, and a
 * file that is asked for by its name always runs. From the root of the checkout.
 */
export const LONG_TESTS = [
  'packages/cli/src/__tests__/redis-journey.test.ts',
  'packages/cli/src/__tests__/shared-store.test.ts',
  'packages/cli/src/__tests__/store-journey.test.ts',
  'packages/cli/src/run/__tests__/emptied-store.test.ts',
  'packages/cli/src/run/__tests__/killed-runs.test.ts',
  'packages/cli/src/run/__tests__/killed-transitions.test.ts',
  'packages/cli/src/run/__tests__/long-run.test.ts',
  'packages/cli/src/run/__tests__/two-queues.test.ts',
  'packages/cli/src/supervise/__tests__/api-socket.test.ts',
  'packages/cli/src/supervise/__tests__/supervisor-process.test.ts',
  'packages/cli/src/terminal/__tests__/killed-with-host.test.ts',
  'packages/dashboard/src/__tests__/attacks.browser.test.ts',
  'packages/dashboard/src/__tests__/freshness.browser.test.ts',
  'packages/dashboard/src/__tests__/page.browser.test.ts',
  'packages/dashboard/src/__tests__/work.browser.test.ts',
  'packages/mcp/src/workflow/__tests__/crash.test.ts',
  'packages/supervisor/src/__tests__/crashes.test.ts',
  'packages/supervisor/src/__tests__/generic-agent.test.ts',
  'packages/supervisor/src/__tests__/random-renewals.test.ts',
  'packages/supervisor/src/process/__tests__/adopted-run.test.ts',
  'packages/supervisor/src/process/__tests__/leave-queue.test.ts',
  'packages/supervisor/src/run/__tests__/giving-up.test.ts',
  'packages/supervisor/src/run/__tests__/run-crashes.test.ts',
  'packages/supervisor/src/run/__tests__/two-clones.test.ts',
  'packages/supervisor/src/run/queue/__tests__/outage.test.ts',
  'packages/terminals/src/client/__tests__/crashes.test.ts',
  'packages/worktree/src/checkpoint/__tests__/planted-secrets.test.ts',
  'packages/worktree/src/run-worktree/__tests__/many-at-once.test.ts',
  'scripts/__tests__/sample.test.ts',
];

/**
 * What a run of all tests leaves out. Pure.
 *
 * @param {readonly string[]} tests from the root of the checkout
 * @param {{ isSelection: boolean, env: Readonly<Record<string, string | undefined>> }} run
 * @returns {string[]}
 */
export function leftOut(tests, { isSelection, env }) {
  const isWanted = isSelection || env.DEVS_LONG_TESTS === '1' || env.DEVS_ROUNDS_FACTOR !== undefined;
  return isWanted ? [] : tests.filter((path) => LONG_TESTS.includes(path));
}
