import { nodeProblem } from '../../packages/cli/bin/node-version.mjs';
import { build } from './build.mjs';
import { install } from './install/install.mjs';
import { say } from './say.mjs';

/**
 * Installs and builds what is missing. The launcher `packages/cli/bin/devs.mjs` calls this too.
 *
 * @returns {Promise<number>} exit code
 */
export const prepare = async () => (await prepareToBuild()) || (await build());

/** @returns {Promise<number>} exit code */
export async function prepareToBuild() {
  const problem = nodeProblem(process.versions.node);
  if (problem === undefined) return install();
  say(problem);
  return 1;
}
