/**
 * Progress goes to stderr: stdout belongs to the command that follows.
 *
 * @param {string} line
 */
export const say = (line) => void process.stderr.write(`devs: ${line}\n`);

/** @param {number} startedAt from `performance.now()` */
export const seconds = (startedAt) => `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
