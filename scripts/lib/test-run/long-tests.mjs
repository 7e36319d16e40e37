/**
 * Test files that take most of the time of all: whole journeys of real programs, crashes at many moments, several machines.
 * `npm test` leaves them out and says so; `DEVS_LONG_TESTS=1 npm test` runs them too, as `.ci/run` and `.ci/soak` do, and a
 * file that is asked for by its name always runs. From the root of the checkout.
 */
export const LONG_TESTS = [
  'packages/builtin-agent/src/session/__tests__/long-run.test.ts',
  'packages/cli/src/__tests__/redis-journey.test.ts',
  'packages/cli/src/__tests__/shared-store.test.ts',
  'packages/cli/src/__tests__/store-journey.test.ts',
  'packages/cli/src/agent/__tests__/supervised-builtin.integration.test.ts',
  'packages/cli/src/run/__tests__/acp-run.test.ts',
  'packages/cli/src/run/__tests__/archived-runs.test.ts',
  'packages/cli/src/run/__tests__/emptied-store.test.ts',
  'packages/cli/src/run/__tests__/fleet-soak.test.ts',
  'packages/cli/src/run/__tests__/killed-runs.test.ts',
  'packages/cli/src/run/__tests__/killed-transitions.test.ts',
  'packages/cli/src/run/__tests__/long-run.test.ts',
  'packages/cli/src/run/__tests__/two-homes.test.ts',
  'packages/cli/src/run/__tests__/two-queues.test.ts',
  'packages/cli/src/run/__tests__/workers.test.ts',
  'packages/cli/src/supervise/__tests__/api-socket.test.ts',
  'packages/cli/src/supervise/__tests__/supervisor-process.test.ts',
  'packages/cli/src/terminal/__tests__/inside-a-terminal.test.ts',
  'packages/cli/src/terminal/__tests__/killed-with-host.test.ts',
  'packages/cli/src/terminal/__tests__/purge-terminals.test.ts',
  'packages/cli/src/terminal/__tests__/window-sizes.test.ts',
  'packages/cli/src/trust/__tests__/hostile-repository.test.ts',
  'packages/dashboard/src/__tests__/attacks.browser.test.ts',
  'packages/dashboard/src/__tests__/freshness.browser.test.ts',
  'packages/dashboard/src/__tests__/page.browser.test.ts',
  'packages/dashboard/src/__tests__/supervised.browser.test.ts',
  'packages/dashboard/src/__tests__/work.browser.test.ts',
  'packages/mcp/src/__tests__/ending.test.ts',
  'packages/mcp/src/__tests__/odd-input.test.ts',
  'packages/mcp/src/__tests__/one-at-a-time.test.ts',
  'packages/mcp/src/workflow/__tests__/crash.test.ts',
  'packages/store/src/redis/__tests__/server-killed.test.ts',
  'packages/store/src/redis/__tests__/writer-killed.test.ts',
  'packages/store/src/sqlite/__tests__/busy-file.test.ts',
  'packages/store/src/sqlite/__tests__/crash.test.ts',
  'packages/store/src/sqlite/__tests__/several-processes.test.ts',
  'packages/store/src/sqlite/__tests__/six-writers.test.ts',
  'packages/supervisor/src/__tests__/crashes.test.ts',
  'packages/supervisor/src/__tests__/generic-agent.test.ts',
  'packages/supervisor/src/__tests__/random-renewals.test.ts',
  'packages/supervisor/src/__tests__/stopped-terminals.test.ts',
  'packages/supervisor/src/__tests__/what-waits-for-the-user.test.ts',
  'packages/supervisor/src/process/__tests__/adopted-run.test.ts',
  'packages/supervisor/src/process/__tests__/leave-queue.test.ts',
  'packages/supervisor/src/process/__tests__/terminal-job.test.ts',
  'packages/supervisor/src/run/__tests__/gather-run-evidence.test.ts',
  'packages/supervisor/src/run/__tests__/giving-up.test.ts',
  'packages/supervisor/src/run/__tests__/left-by-step.test.ts',
  'packages/supervisor/src/run/__tests__/missing-tools.test.ts',
  'packages/supervisor/src/run/__tests__/own-paste.test.ts',
  'packages/supervisor/src/run/__tests__/run-crashes.test.ts',
  'packages/supervisor/src/run/__tests__/two-clones.test.ts',
  'packages/supervisor/src/run/__tests__/two-machines.test.ts',
  'packages/supervisor/src/run/queue/__tests__/outage.test.ts',
  'packages/terminals/src/client/__tests__/crashes.test.ts',
  'packages/terminals/src/typing/__tests__/type-confirmed.test.ts',
  'packages/worktree/src/checkpoint/__tests__/planted-secrets.test.ts',
  'packages/worktree/src/run-worktree/__tests__/many-at-once.test.ts',
  'scripts/__tests__/sample.test.ts',
];

/** The tag of a long test in a file that is otherwise run: `it('title', { tags: 'long' }, …)`. */
export const LONG_TAG = 'long';

/** @typedef {{ isSelection: boolean, env: Readonly<Record<string, string | undefined>> }} Run */

/**
 * Whether a run includes long files and tests. Pure.
 *
 * @param {Run} run
 */
export const wantsLong = ({ isSelection, env }) =>
  isSelection || env.DEVS_LONG_TESTS === '1' || env.DEVS_ROUNDS_FACTOR !== undefined;

/**
 * The files that a run of all tests leaves out. Pure.
 *
 * @param {readonly string[]} tests from the root of the checkout
 * @param {Run} run
 * @returns {string[]}
 */
export const leftOut = (tests, run) => (wantsLong(run) ? [] : tests.filter((path) => LONG_TESTS.includes(path)));
