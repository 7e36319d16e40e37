/**
 * The last line of every test run.
 *
 * @param {{ passed: number, failed: number, skipped: number }} counts
 * @returns {number} an exit code
 */
export function printTotal({ passed, failed, skipped }) {
  process.stdout.write(`\n${passed} passed, ${failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}\n`);
  return failed === 0 ? 0 : 1;
}
