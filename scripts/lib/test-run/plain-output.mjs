/**
 * vitest colours its output unless told not to, even into a file. Call this before vitest is loaded, which looks once;
 * so do the threads of the tests.
 *
 * @param {{ isTTY?: boolean }} output
 * @param {NodeJS.ProcessEnv} env
 */
export function keepPlain({ isTTY = false }, env) {
  const isForced = env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false';
  if (env.NO_COLOR === undefined && (isTTY || isForced)) return;
  env.NO_COLOR = '1';
  delete env.FORCE_COLOR; // Node warns where both are set
}
